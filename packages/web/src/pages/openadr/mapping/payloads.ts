import type { PayloadMeaning, PayloadRule, Profile } from '@plantroom/contract/openadr-profile'
import { format } from '../../../texts/format.ts'
import { openadrMapping as texts } from '../../../texts/openadr-mapping.ts'
import { payloadRule } from '../profile-of.ts'

const MAPPABLE: ReadonlySet<PayloadMeaning> = new Set(['setpoint', 'level', 'limit', 'flexibility'])

/** Lists the payloads of a profile that a rule can follow. */
export const mappablePayloads = (profile: Profile | undefined): string[] =>
  Object.entries(profile?.payloads ?? {}).flatMap(([name, { meaning, fallbackFor }]) =>
    MAPPABLE.has(meaning) && fallbackFor === undefined ? name : [],
  )

/** Returns the payloads to choose from. One that the profile does not offer stays, and says so. */
export function payloadChoices(profile: Profile | undefined, chosen: string): { value: string; label: string }[] {
  const names = mappablePayloads(profile)
  const choices = names.map((value) => ({ value, label: value }))
  if (names.includes(chosen)) return choices
  const isKnown = payloadRule(profile, chosen) !== undefined
  return [{ value: chosen, label: isKnown ? chosen : format(texts.unknownPayload, { payload: chosen }) }, ...choices]
}

/** Says what a payload means, with its unit. */
export function describePayload(rule: PayloadRule | undefined): string | undefined {
  if (!rule) return undefined
  const meaning = texts.meanings[rule.meaning]
  return rule.unit === undefined ? meaning : format(texts.inUnit, { meaning, unit: rule.unit })
}
