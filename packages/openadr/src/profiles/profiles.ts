import type { SchemaErrorDescription } from '@plantroom/contract/describe-error'
import { Profile, type ShippedProfile } from '@plantroom/contract/openadr-profile'
import { schemaProblems } from '@plantroom/contract/schema-problems'
import { ALLIANCE_3_0, ALLIANCE_3_1 } from './alliance.ts'
import { NLFLEX } from './nlflex.ts'
import { SWITCH } from './switch.ts'

/** The profiles that come with the product, by name. */
export const PROFILES: Readonly<Record<ShippedProfile, Profile>> = {
  'alliance-3.0': ALLIANCE_3_0,
  'alliance-3.1': ALLIANCE_3_1,
  switch: SWITCH,
  'nlflex-1.0': NLFLEX,
}

const MAX_PROBLEMS = 100

/** Checks a profile that a person wrote. Returns it, or everything that is wrong with it. */
export function readProfile(
  given: unknown,
): { readonly profile: Profile } | { readonly problems: readonly SchemaErrorDescription[] } {
  const broken = schemaProblems(Profile, given, MAX_PROBLEMS)
  if (broken.length > 0) return { problems: broken }
  const profile = given as Profile
  const problems = Object.keys(profile.payloads).flatMap((name) =>
    ruleProblems(profile, name).map((problem) => ({ ...problem, path: `payloads.${name}.${problem.path}` })),
  )
  return problems.length > 0 ? { problems } : { profile }
}

function ruleProblems({ payloads }: Profile, name: string): SchemaErrorDescription[] {
  const rule = payloads[name]
  if (!rule) return []
  const other = (field: string | undefined) =>
    field !== undefined && Object.hasOwn(payloads, field) ? payloads[field] : undefined
  const problems: SchemaErrorDescription[] = []
  const needsDirection = rule.meaning === 'limit' || rule.meaning === 'flexibility'
  if (needsDirection && !rule.direction) problems.push({ path: 'direction', rule: 'is missing' })
  if (rule.fallbackFor !== undefined && other(rule.fallbackFor)?.meaning !== rule.meaning)
    problems.push({ path: 'fallbackFor', rule: `must name another payload whose meaning is ${rule.meaning}` })
  if (rule.meaning === 'flexibility' && other(rule.below)?.meaning !== 'baseline')
    problems.push({ path: 'below', rule: 'must name a payload whose meaning is baseline' })
  return problems
}
