import { closestName } from '@plantroom/base/closest-name'
import type { SchemaErrorDescription } from '@plantroom/contract/describe-error'
import { Mapping, type MappingRule } from '@plantroom/contract/openadr-mapping'
import type { PayloadMeaning, Profile } from '@plantroom/contract/openadr-profile'
import { readIfValid } from '@plantroom/contract/read'
import { schemaProblems } from '@plantroom/contract/schema-problems'
import { targetKey, targetOf } from './target.ts'

const MAX_PROBLEMS = 100

/** Checks a mapping with its profile. Returns it, or everything that is wrong with it, by path. */
export function readMapping(
  given: unknown,
  profile: Profile,
): { readonly mapping: Mapping } | { readonly problems: readonly SchemaErrorDescription[] } {
  const broken = schemaProblems(Mapping, given, MAX_PROBLEMS)
  const mapping = readIfValid(Mapping, given)
  if (!mapping) return { problems: broken }
  const problems = [
    ...repeatedResources(mapping),
    ...mapping.resources.flatMap((resource, index) => [
      ...resource.rules.flatMap((rule, ruleIndex) =>
        at(`resources[${index}].rules[${ruleIndex}]`, ruleProblems(rule, profile)),
      ),
      ...at(`resources[${index}]`, repeatedRules(resource.rules)),
    ]),
  ]
  return problems.length > 0 ? { problems: problems.slice(0, MAX_PROBLEMS) } : { mapping }
}

const at = (path: string, problems: readonly SchemaErrorDescription[]) =>
  problems.map((problem) => ({ path: `${path}.${problem.path}`, rule: problem.rule }))

function repeatedResources({ resources }: Mapping): SchemaErrorDescription[] {
  const seen = new Set<string>()
  return resources.flatMap(({ resourceName }, index) => {
    const isNew = !seen.has(resourceName)
    seen.add(resourceName)
    return isNew ? [] : [{ path: `resources[${index}].resourceName`, rule: 'is the name of another resource above' }]
  })
}

function repeatedRules(rules: readonly MappingRule[]): SchemaErrorDescription[] {
  const seen = new Set<string>()
  return rules.flatMap((rule, index) => {
    const target = targetOf(rule)
    const key = `${rule.payload} ${target ? targetKey(target) : index}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew ? [] : [{ path: `rules[${index}]`, rule: 'repeats a rule above: same payload, same target' }]
  })
}

const TO_DATAPOINT: ReadonlySet<PayloadMeaning> = new Set(['setpoint', 'level', 'limit', 'flexibility'])
const TO_LIMIT: ReadonlySet<PayloadMeaning> = new Set(['limit', 'flexibility'])

function ruleProblems(rule: MappingRule, profile: Profile): SchemaErrorDescription[] {
  const payload = Object.hasOwn(profile.payloads, rule.payload) ? profile.payloads[rule.payload] : undefined
  if (!payload) {
    const known = Object.entries(profile.payloads).flatMap(([name, { meaning }]) =>
      TO_DATAPOINT.has(meaning) ? name : [],
    )
    const meant = closestName(rule.payload, known)
    const rest = meant === undefined ? `, which has: ${known.join(', ')}` : ` (did you mean ${meant}?)`
    return [{ path: 'payload', rule: `is not in the profile ${profile.name}${rest}` }]
  }
  if (payload.fallbackFor) return [{ path: 'payload', rule: `is a fallback: map ${payload.fallbackFor} instead` }]
  if (!TO_DATAPOINT.has(payload.meaning))
    return [{ path: 'payload', rule: `is shown only: it is a ${payload.meaning}` }]
  if ((rule.datapointId === undefined) === (rule.limit === undefined))
    return [{ path: 'datapointId', rule: 'is missing: a rule has either datapointId or limit' }]
  return rule.limit ? limitProblems(rule, payload) : datapointProblems(rule, payload)
}

function limitProblems(
  { limit, table, factor, outsideEnvelope, fallback }: MappingRule,
  { meaning, direction }: Profile['payloads'][string],
): SchemaErrorDescription[] {
  if (!TO_LIMIT.has(meaning))
    return [{ path: 'limit', rule: `needs a payload that limits power; this one is a ${meaning}` }]
  const problems: SchemaErrorDescription[] = []
  if (limit?.direction !== direction)
    problems.push({ path: 'limit.direction', rule: `must be ${direction}, as the payload says` })
  const misplaced = { table, factor, outsideEnvelope }
  for (const [path, value] of Object.entries(misplaced))
    if (value !== undefined) problems.push({ path, rule: 'is for datapoints: leave it out of a limit' })
  if (fallback !== undefined && fallback < 0)
    problems.push({ path: 'fallback', rule: 'must be at least 0 for a limit' })
  return problems
}

function datapointProblems({ table }: MappingRule, { meaning }: Profile['payloads'][string]): SchemaErrorDescription[] {
  if (meaning === 'level' && !table)
    return [{ path: 'table', rule: 'is missing: the payload is a level, and the table says what each one means' }]
  return Object.entries(table ?? {}).flatMap(([level, value]) =>
    typeof value === 'number' || value === 'release'
      ? []
      : [{ path: `table.${level}`, rule: 'must be a number or release' }],
  )
}
