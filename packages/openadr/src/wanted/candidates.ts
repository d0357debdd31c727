import type { Mapping, MappingRule } from '@plantroom/contract/openadr-mapping'
import type { PayloadRule, Profile } from '@plantroom/contract/openadr-profile'
import { type PlacementTarget, targetOf } from '../mapping/target.ts'
import type { VtnEvent } from '../normal/events.ts'
import type { VtnProgram } from '../normal/objects.ts'
import type { Payload } from '../normal/parts.ts'
import { type Addressee, addressing } from './addressing.ts'
import { baselines } from './baselines.ts'
import type { KnownEvent } from './known-event.ts'
import type { NoteTaker } from './notes.ts'
import type { Origin } from './placements.ts'
import type { Rank } from './rank.ts'
import { isCancelled, MAX_REPEATED, repeatedIn, type TimedInterval, timelineOf } from './timeline.ts'
import { unitsOf } from './units.ts'
import { type Asked, ceiling, type Envelope, fitted, levelIn, numberIn } from './values.ts'

/** A value of an event for a target, before events compete for it. `value` is `null` where the target is released. */
export interface Candidate {
  readonly from: number
  readonly to: number
  readonly target: PlacementTarget
  readonly value: number | null
  readonly origin: Origin
  readonly rank: Rank
}

/** What is known beside events. */
export interface Surroundings extends Addressee {
  /** The values that a datapoint takes; `undefined` when it is not commissioned or cannot be written. */
  readonly envelopeOf?: (datapointId: string) => Envelope | undefined
  /** For units that only the program declares. */
  readonly programs?: readonly VtnProgram[]
  /** Reports whether people took a resource out of an event: for the resource, it does not count. */
  readonly isOptedOut?: (eventId: string, resourceName: string) => boolean
}

/** A mapping rule with its resource. */
export interface Rule {
  readonly resourceName: string
  readonly rule: MappingRule
  readonly target: PlacementTarget
  readonly order: number
}

export interface CandidateInput {
  readonly mapping: Mapping
  readonly profile: Profile
  readonly surroundings: Surroundings
  readonly window: { readonly from: number; readonly to: number }
  readonly notes: NoteTaker
}

/** The most intervals that all events together repeat within a window. */
const MAX_REPEATED_IN_ALL = 1_000_000

/** Returns what events ask for within a window, and takes notes of what they ask for in vain. */
export function candidatesOf(events: readonly KnownEvent[], input: CandidateInput): Candidate[] {
  const { mapping, profile, surroundings, window, notes } = input
  const addressed = addressing(mapping, surroundings)
  const rules = Map.groupBy(rulesOf(mapping), ({ rule }) => rule.payload)
  const units = unitsOf(surroundings.programs ?? [])
  const baselineOf = baselines(events, { profile, addressed, units })
  // The same for all of them, so that it does not depend on their order.
  const mostRepeated = Math.min(MAX_REPEATED, MAX_REPEATED_IN_ALL / events.filter(({ event }) => event.duration).length)

  function valueFor({ values }: Payload, { payload, units, rule, at }: Use & { rule: Rule; at: number }): Asked {
    if (rule.rule.table) {
      const level = levelIn(values, payload, rule.rule.table)
      return 'value' in level ? bounded(level.value, rule) : level
    }
    const asked = numberIn(values, payload, units)
    if (!('value' in asked)) return asked
    if (payload.meaning !== 'flexibility') return bounded(asked.value, rule)
    const baseline = baselineOf(payload.below ?? '', rule.resourceName, at)
    return baseline === undefined
      ? { refusal: 'no-baseline', detail: payload.below ?? '' }
      : bounded(baseline.kw - asked.value, rule)
  }

  function bounded(value: number, { rule, target }: Rule): Asked {
    if (target.kind === 'limit') return ceiling(value)
    const { envelopeOf = () => ({}) } = surroundings
    return fitted(value, rule, envelopeOf(target.datapointId))
  }

  return events.flatMap((known) => {
    const isIn = (name: string) => !surroundings.isOptedOut?.(known.event.id, name)
    const uses = usesOf(known.event, { profile, rules, units, addressed: addressed(known.event.targets), isIn, notes })
    if (uses.size === 0) return []
    if (repeatedIn(known, window) > mostRepeated) {
      notes.add({ eventId: known.event.id, kind: 'too-many-intervals' })
      return []
    }
    return timelineOf(known, window).flatMap((interval) =>
      interval.payloads.flatMap((payload) => {
        const use = uses.get(payload.type)
        return (use?.rules ?? []).flatMap((rule) => {
          const asked = use ? valueFor(payload, { ...use, rule, at: interval.from }) : undefined
          const { resourceName } = rule
          const about = { eventId: known.event.id, intervalId: interval.id, payload: payload.type, resourceName }
          if (!asked) return []
          if ('refusal' in asked) {
            notes.add({ ...about, kind: asked.refusal, detail: asked.detail })
            return []
          }
          if ('value' in asked && asked.note) notes.add({ ...about, kind: asked.note, detail: asked.detail ?? null })
          const layer = use?.payload.fallbackFor ? 2 : 1
          return [candidate({ known, interval, payload, rule, layer, value: 'value' in asked ? asked.value : null })]
        })
      }),
    )
  })
}

export function rulesOf({ resources }: Mapping): Rule[] {
  let order = 0
  return resources.flatMap(({ resourceName, rules }) =>
    rules.flatMap((rule) => {
      const target = targetOf(rule)
      order += 1
      return target ? [{ resourceName, rule, target, order }] : []
    }),
  )
}

/** What a payload of an event does. */
interface Use {
  readonly payload: PayloadRule
  readonly rules: readonly Rule[]
  readonly units: string | null
}

/** Returns the payloads of an event that do something, by name. */
function usesOf(
  event: VtnEvent,
  {
    profile,
    rules,
    units,
    addressed,
    isIn,
    notes,
  }: {
    readonly profile: Profile
    readonly rules: ReadonlyMap<string, readonly Rule[]>
    readonly units: (event: VtnEvent, payload: string) => string | null
    readonly addressed: readonly string[]
    readonly isIn: (resourceName: string) => boolean
    readonly notes: NoteTaker
  },
): ReadonlyMap<string, Use> {
  const eventId = event.id
  if (event.intervals.length === 0) notes.add({ kind: 'no-intervals', eventId })
  else if (isCancelled(event)) notes.add({ kind: 'cancelled', eventId })
  const resources = new Set(addressed)
  const uses = new Map<string, Use>()
  const types = new Set(event.intervals.flatMap(({ payloads }) => payloads.map(({ type }) => type)))
  for (const type of types) {
    const payload = Object.hasOwn(profile.payloads, type) ? profile.payloads[type] : undefined
    if (!payload) notes.add({ kind: 'unknown-payload', eventId, payload: type })
    else if (payload.meaning === 'price' || payload.meaning === 'information')
      notes.add({ kind: 'shown', eventId, payload: type })
    else if (payload.meaning !== 'baseline') {
      const ofPayload = rules.get(payload.fallbackFor ?? type) ?? []
      const ofResources = ofPayload.filter(({ resourceName }) => resources.has(resourceName))
      if (resources.size === 0) notes.add({ kind: 'not-addressed', eventId, payload: type })
      else if (ofResources.length === 0) notes.add({ kind: 'not-mapped', eventId, payload: type })
      else {
        for (const { resourceName } of ofResources)
          if (!isIn(resourceName)) notes.add({ kind: 'opted-out', eventId, payload: type, resourceName })
        const inForce = ofResources.filter(({ resourceName }) => isIn(resourceName))
        if (inForce.length > 0) uses.set(type, { payload, rules: inForce, units: units(event, type) })
      }
    }
  }
  return uses
}

const MAX_RULE_ORDER = 1e6

function candidate({
  known,
  interval,
  payload,
  rule,
  layer,
  value,
}: {
  readonly known: KnownEvent
  readonly interval: TimedInterval
  readonly payload: Payload
  readonly rule: Rule
  readonly layer: 1 | 2
  readonly value: number | null
}): Candidate {
  const { event, anchor } = known
  return {
    from: interval.from,
    to: interval.to,
    target: rule.target,
    value,
    origin: {
      event: { id: event.id, version: event.version, intervalId: interval.id },
      payload: payload.type,
      resourceName: rule.resourceName,
    },
    rank: {
      layer,
      priority: event.priority ?? Number.POSITIVE_INFINITY,
      createdAt: event.createdAt ?? anchor,
      eventId: event.id,
      order: interval.index * MAX_RULE_ORDER + rule.order,
    },
  }
}
