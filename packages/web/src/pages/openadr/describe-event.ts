import type { Outcome } from '@plantroom/contract/fleet'
import type { OpenadrEvent, OpenadrOptOut, OpenadrPlacement } from '@plantroom/contract/openadr'
import type { When } from '../../parts/describe-hold.ts'
import { plannedTime } from '../../parts/time.ts'
import { joinFacts, sentence, shownValue } from '../../parts/value.ts'
import { dispatches } from '../../texts/dispatches.ts'
import { format } from '../../texts/format.ts'
import { openadrEvents as texts } from '../../texts/openadr-events.ts'
import type { MeaningOf } from './use-meanings.ts'

/** Names of sites by their ids, as far as the person sees them. */
export type SiteNames = ReadonlyMap<string, string>

export const EVENT_COLORS = { upcoming: 'blue', active: 'green', ended: 'gray', deleted: 'gray' } as const

export const PLACEMENT_COLORS = {
  placing: 'blue',
  queued: 'blue',
  active: 'green',
  ended: 'gray',
  released: 'gray',
  refused: 'red',
  offline: 'yellow',
} as const

/** Returns what people call an event. */
export const eventTitle = ({ eventName, eventId }: Pick<OpenadrEvent, 'eventName' | 'eventId'>) => eventName ?? eventId

/** Reports whether nothing of an event is to be acted on: prices and information. */
export function isShownOnly({ programId, intervals }: OpenadrEvent, meaningOf: MeaningOf): boolean {
  const meanings = intervals.flatMap(({ payloads }) => payloads.map(({ type }) => meaningOf(programId, type)))
  return meanings.length > 0 && meanings.every((meaning) => meaning === 'price' || meaning === 'information')
}

/** Says when an event is: `17:00 EET to 18:00 EET`. */
export function describePeriod({ from, to }: Pick<OpenadrEvent, 'from' | 'to'>, { timeZone, now }: When): string {
  if (from === null) return texts.noTime
  const begin = plannedTime(from, timeZone, now)
  return to === null
    ? format(texts.openEnd, { from: begin })
    : format(texts.period, { from: begin, to: plannedTime(to, timeZone, now) })
}

/** Says what else a person should know of an event: its program, priority, and when it changed. */
export function describeFacts(event: OpenadrEvent, { timeZone, now }: When): string {
  const { programName, priority, firstSeenAt, changedAt, deletedAt } = event
  const timeOf = (at: string) => plannedTime(at, timeZone, now)
  return joinFacts([
    programName,
    priority !== null && format(texts.priority, { priority }),
    changedAt !== firstSeenAt && format(texts.changed, { time: timeOf(changedAt) }),
    deletedAt !== null && format(texts.deleted, { time: timeOf(deletedAt) }),
  ])
}

/** Returns the resources of an event that nobody took out of it. */
export const resourcesIn = ({ resources, optOuts }: Pick<OpenadrEvent, 'resources' | 'optOuts'>): string[] =>
  resources.filter((name) => !optOuts.some(({ resourceName }) => resourceName === name))

/** Says who took a resource out of an event, when and why: `17:02 EET by ann@example.com: A concert tonight` */
export const describeOptOut = ({ by, at, reason }: OpenadrOptOut, { timeZone, now }: When): string =>
  format(texts.optOut.since, { time: plannedTime(at, timeZone, now), by, reason })

/** Says what an event asks for, interval by interval. */
export function describeAsks({ intervals }: Pick<OpenadrEvent, 'intervals'>, { timeZone, now }: When): string[] {
  return intervals.flatMap(({ from, to, payloads }) => {
    const asked = joinFacts(
      payloads.map(({ type, unit, values }) => {
        const value = values.join(', ')
        return unit === null ? format(texts.ask, { type, value }) : format(texts.askIn, { type, value, unit })
      }),
    )
    if (asked === '') return []
    if (from === null) return [asked]
    return [format(texts.askAt, { time: describePeriod({ from, to }, { timeZone, now }), asked })]
  })
}

/** Returns what a placement is for: `Charge power`, or `Power from the grid at School`. */
export function targetName(placement: OpenadrPlacement, sites: SiteNames): string {
  const { kind, direction, siteId, datapointId, outcomes } = placement
  if (kind === 'limit' && direction !== null) {
    const target = texts.limitTargets[direction]
    const site = siteId === null ? undefined : sites.get(siteId)
    return site === undefined ? target : format(texts.at, { target, site })
  }
  return outcomes.find((each) => each.datapointName !== null)?.datapointName ?? datapointId ?? texts.removedDatapoint
}

/** Returns the value of a placement in its unit. */
export const placedValue = ({ kind, value, outcomes }: OpenadrPlacement): string =>
  shownValue(value, kind === 'limit' ? 'kW' : (outcomes[0]?.unit ?? undefined))

/** Says what a controller did about a placement: `Cellar: Refused. The clock is wrong.` */
export function describeOutcome(
  { deviceName, datapointName, outcome, reason, release }: OpenadrPlacement['outcomes'][number],
  kind: OpenadrPlacement['kind'],
): string {
  const controller = deviceName ?? texts.removedController
  const words = outcomeName(outcome)
  const what =
    kind === 'limit'
      ? format(texts.outcome, { controller, outcome: words })
      : format(texts.outcomeOf, { datapoint: datapointName ?? texts.removedDatapoint, controller, outcome: words })
  const more = [reason === null ? '' : sentence(reason), release === null ? '' : sentence(dispatches.releases[release])]
  const why = more.filter(Boolean).join(' ')
  return why === '' ? what : format(texts.because, { what, reason: why })
}

const outcomeName = (outcome: Outcome) => dispatches.outcomes[outcome]
