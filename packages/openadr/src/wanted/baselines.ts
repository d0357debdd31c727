import type { Profile } from '@plantroom/contract/openadr-profile'
import type { VtnEvent } from '../normal/events.ts'
import type { Target } from '../normal/parts.ts'
import type { KnownEvent } from './known-event.ts'
import { spanOf, timelineOf } from './timeline.ts'
import { numberIn } from './values.ts'

/** A baseline that an event publishes for resources. One for several resources is that of all of them together. */
export interface Baseline {
  readonly kw: number
  readonly eventId: string
  readonly resourceNames: readonly string[]
}

interface Published extends Baseline {
  readonly createdAt: number
  readonly to: number
}

/**
 * Returns a lookup of the baseline of a resource: that of the newest event which has not ended at that time. A baseline counts
 * from when it was published, so it also counts for an interval that began before we read it. Takes n log n for n events, and
 * log n for each lookup.
 */
export function baselines(
  events: readonly KnownEvent[],
  {
    profile,
    addressed,
    units,
  }: {
    readonly profile: Profile
    readonly addressed: (targets: readonly Target[]) => readonly string[]
    readonly units: (event: VtnEvent, payload: string) => string | null
  },
) {
  const found = new Map<string, Published[]>()
  for (const known of events) {
    const { event, anchor } = known
    const createdAt = event.createdAt ?? anchor
    for (const { to, payload } of publishedIn(known, profile)) {
      const { type, values, rule } = payload
      const asked = numberIn(values, rule, units(event, type))
      if (!('value' in asked)) continue
      const resourceNames = addressed(event.targets)
      const baseline = { kw: asked.value, eventId: event.id, resourceNames, createdAt, to }
      for (const resourceName of resourceNames) {
        const key = `${type} ${resourceName}`
        const list = found.get(key)
        if (list) list.push(baseline)
        else found.set(key, [baseline])
      }
    }
  }
  const newest = new Map([...found].map(([key, list]) => [key, lasting(list)]))
  return (payload: string, resourceName: string, at: number): Baseline | undefined =>
    firstAfter(newest.get(`${payload} ${resourceName}`) ?? [], at)
}

/** The baselines in an event. One that is repeated counts to the end of the event. */
function publishedIn(known: KnownEvent, { payloads }: Profile) {
  const { event } = known
  const isBaseline = event.intervals.some((interval) =>
    interval.payloads.some(({ type }) => Object.hasOwn(payloads, type) && payloads[type]?.meaning === 'baseline'),
  )
  const span = isBaseline ? spanOf(known) : undefined
  if (!span) return []
  const intervals =
    event.duration === null ? timelineOf(known) : event.intervals.map((interval) => ({ ...interval, to: span.to }))
  return intervals.flatMap(({ to, payloads: given }) =>
    given.flatMap((one) => {
      const rule = Object.hasOwn(payloads, one.type) ? payloads[one.type] : undefined
      return rule?.meaning === 'baseline' ? [{ to, payload: { ...one, rule } }] : []
    }),
  )
}

/** The newest first, without those that end while a newer one still counts. */
function lasting(list: readonly Published[]): Published[] {
  let end = Number.NEGATIVE_INFINITY
  return list
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .filter(({ to }) => {
      const isLonger = to > end
      if (isLonger) end = to
      return isLonger
    })
}

/** Finds the first that has not ended, in a list that is sorted by its ends. */
function firstAfter(list: readonly Published[], at: number): Published | undefined {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.to ?? 0) > at) high = middle
    else low = middle + 1
  }
  return list[low]
}

/** The payload from which the flexibility of an event is subtracted; of other events, the baseline of the profile. */
export function baselinePayload({ intervals }: Pick<VtnEvent, 'intervals'>, { payloads }: Profile): string | undefined {
  const types = intervals.flatMap((interval) => interval.payloads.map(({ type }) => type))
  const rule = types.map((type) => (Object.hasOwn(payloads, type) ? payloads[type] : undefined))
  const below = rule.find((one) => one?.meaning === 'flexibility')?.below
  return below ?? Object.keys(payloads).find((type) => payloads[type]?.meaning === 'baseline')
}
