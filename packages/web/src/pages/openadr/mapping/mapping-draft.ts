import type { SchemaErrorDescription } from '@plantroom/contract/describe-error'
import { OpenadrMapping, type OpenadrResource } from '@plantroom/contract/openadr'
import {
  DEFAULT_SILENCE_SECONDS,
  type MappingRule,
  type OnSilence,
  type OutsideEnvelope,
} from '@plantroom/contract/openadr-mapping'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { type AveragingSeconds, DEFAULT_AVERAGING_SECONDS, type Direction } from '@plantroom/contract/power-limit'
import { schemaProblems } from '@plantroom/contract/schema-problems'
import { readMapping } from '@plantroom/openadr/mapping'

/** What a number input holds: a number, or a text that is none yet. */
export type DraftNumber = number | string

export interface DraftLevel {
  /** Stays the same while the level is edited. */
  key: string
  level: string
  does: 'value' | 'release'
  value: DraftNumber
}

export interface DraftRule {
  key: string
  payload: string
  kind: 'datapoint' | 'limit'
  /** Of a limit, and where the datapoint is looked for. */
  siteId: string
  datapointId: string
  outsideEnvelope: OutsideEnvelope
  factor: DraftNumber
  levels: DraftLevel[]
  direction: Direction
  averagingSeconds: AveragingSeconds
  fallback: DraftNumber
}

export interface DraftResource {
  key: string
  resourceName: string
  targets: string[]
  powerDatapointId: string
  energyDatapointId: string
  /** Where the datapoints of its reports are looked for. */
  siteId: string
  rules: DraftRule[]
}

/** A mapping as the form holds it. */
export interface MappingDraft {
  resources: DraftResource[]
  /** Empty: as the profile says. */
  onSilence: OnSilence | ''
  silenceSeconds: DraftNumber
}

let keys = 0
function newKey(): string {
  keys += 1
  return `k${keys}`
}

/** Copies a mapping for the form. */
export const draftOf = ({ resources, onSilence, silenceSeconds }: OpenadrMapping): MappingDraft => ({
  resources: resources.map(({ resourceName, targets = [], powerDatapointId = '', energyDatapointId = '', rules }) => ({
    key: newKey(),
    resourceName,
    targets: [...targets],
    powerDatapointId,
    energyDatapointId,
    siteId: '',
    rules: rules.map(draftOfRule),
  })),
  onSilence: onSilence ?? '',
  silenceSeconds: silenceSeconds ?? DEFAULT_SILENCE_SECONDS,
})

function draftOfRule(rule: MappingRule): DraftRule {
  const { payload, datapointId = '', outsideEnvelope = 'refuse', factor = '', table = {}, limit, fallback = '' } = rule
  return {
    ...newRule(payload),
    datapointId,
    outsideEnvelope,
    factor,
    fallback,
    levels: Object.entries(table).map(([level, value]) =>
      value === 'release' ? newLevel(level, 'release') : newLevel(level, 'value', value),
    ),
    ...(limit && { kind: 'limit' as const, ...limit }),
  }
}

/** A rule for a payload, to start from: that of the profile says what it can do. */
export function newRule(payload: string, meaning?: Profile['payloads'][string]): DraftRule {
  const isLimit = meaning?.meaning === 'limit' || meaning?.meaning === 'flexibility'
  return {
    key: newKey(),
    payload,
    kind: isLimit ? 'limit' : 'datapoint',
    siteId: '',
    datapointId: '',
    outsideEnvelope: 'refuse',
    factor: '',
    levels: meaning?.meaning === 'level' ? levelsOf(meaning) : [],
    direction: meaning?.direction ?? 'import',
    averagingSeconds: DEFAULT_AVERAGING_SECONDS,
    fallback: '',
  }
}

export const newLevel = (level: string, does: DraftLevel['does'] = 'value', value: DraftNumber = ''): DraftLevel => ({
  key: newKey(),
  level,
  does,
  value,
})

/** Level 0 is normal operation. */
function levelsOf({ minimum = 0, maximum = 3 }: Profile['payloads'][string]): DraftLevel[] {
  const least = Math.max(0, minimum)
  return Array.from({ length: Math.max(1, Math.min(maximum - least + 1, 4)) }, (_, place) =>
    place + least === 0 ? newLevel('0', 'release') : newLevel(String(place + least)),
  )
}

/** A resource without rules, to start from. */
export const newResource = (): DraftResource => ({
  key: newKey(),
  resourceName: '',
  targets: [],
  powerDatapointId: '',
  energyDatapointId: '',
  siteId: '',
  rules: [],
})

/** Returns the mapping of a draft, with nothing that counts anyway. What is not a number yet is `NaN`. */
export function mappingOf({ resources, onSilence, silenceSeconds }: MappingDraft): OpenadrMapping {
  return {
    resources: resources.map(resourceOf),
    ...(onSilence !== '' && { onSilence }),
    silenceSeconds: numberOf(silenceSeconds),
  }
}

function resourceOf(resource: DraftResource): OpenadrResource {
  const { resourceName, targets, powerDatapointId, energyDatapointId, rules } = resource
  return {
    resourceName: resourceName.trim(),
    ...(targets.length > 0 && { targets: [...targets] }),
    rules: rules.map(ruleOf),
    ...(powerDatapointId !== '' && { powerDatapointId }),
    ...(energyDatapointId !== '' && { energyDatapointId }),
  }
}

function ruleOf(rule: DraftRule): MappingRule {
  const { payload, kind, siteId, datapointId, outsideEnvelope, factor, levels, fallback } = rule
  const shared = { payload, ...(fallback !== '' && { fallback: numberOf(fallback) }) }
  if (kind === 'limit') {
    return { ...shared, limit: { siteId, direction: rule.direction, averagingSeconds: rule.averagingSeconds } }
  }
  return {
    ...shared,
    datapointId,
    ...(outsideEnvelope !== 'refuse' && { outsideEnvelope }),
    ...(factor !== '' && { factor: numberOf(factor) }),
    ...(levels.length > 0 && { table: Object.fromEntries(levels.map(entryOf)) }),
  }
}

const entryOf = ({ level, does, value }: DraftLevel) =>
  [level.trim(), does === 'release' ? 'release' : numberOf(value)] as const

/** An unfinished number counts as none: the rules then name it. */
const numberOf = (value: DraftNumber): number => (typeof value === 'number' ? value : Number.NaN)

const MAX_PROBLEMS = 100

/** Returns everything that is wrong with a mapping, by the rules of the service. */
export function mappingProblems(mapping: unknown, profile: Profile | undefined): readonly SchemaErrorDescription[] {
  const broken = schemaProblems(OpenadrMapping, mapping, MAX_PROBLEMS)
  if (broken.length > 0 || !profile) return broken
  const read = readMapping(withoutReports(mapping as OpenadrMapping), profile)
  return 'problems' in read ? read.problems : []
}

/** What reports are made from is for the service to check. */
const withoutReports = ({ resources, ...rest }: OpenadrMapping) => ({
  ...rest,
  resources: resources.map(({ powerDatapointId: _power, energyDatapointId: _energy, ...resource }) => resource),
})

/** Returns the mistakes of a draft by the paths of their fields, with those that only a form can have. */
export function draftProblems(draft: MappingDraft, profile: Profile | undefined): ReadonlyMap<string, string> {
  const mapping = mappingOf(draft)
  // A missing number must not keep the profile from judging what is around it.
  const found = [...mappingProblems(withAllNumbers(mapping), profile), ...mappingProblems(mapping, profile)]
  return new Map([...found.map(({ path, rule }) => [path, rule] as const), ...emptyFields(draft)])
}

const withAllNumbers = (mapping: OpenadrMapping): unknown =>
  JSON.parse(JSON.stringify(mapping, (_key, value) => (Number.isNaN(value) ? 60 : value)))

const MISSING = 'is missing'

function emptyFields({ resources }: MappingDraft): [string, string][] {
  return resources.flatMap(({ rules }, resource) =>
    rules.flatMap(({ kind, siteId, datapointId, levels }, rule): [string, string][] => {
      const path = `resources[${resource}].rules[${rule}]`
      const repeated = levels.flatMap(({ level }, place): [string, string][] => {
        if (level.trim() === '') return [[`${path}.levels[${place}]`, MISSING]]
        const isRepeated = levels.findIndex((each) => each.level.trim() === level.trim()) < place
        return isRepeated ? [[`${path}.levels[${place}]`, 'is in the table already']] : []
      })
      if (kind === 'limit') return siteId === '' ? [[`${path}.limit.siteId`, MISSING]] : []
      return datapointId === '' ? [[`${path}.datapointId`, MISSING], ...repeated] : repeated
    }),
  )
}
