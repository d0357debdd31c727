import { sha256 } from '@plantroom/base/sha256'
import type { Mapping } from '@plantroom/contract/openadr-mapping'
import type { Profile, ReportRule } from '@plantroom/contract/openadr-profile'
import { END_OF_TIME } from '../normal/durations.ts'
import type { ReportDescriptor, VtnEvent } from '../normal/events.ts'
import { type Addressee, addressing } from '../wanted/addressing.ts'
import type { KnownEvent } from '../wanted/known-event.ts'
import { cycleOf, MAX_REPEATED, repeatedIn, spanOf, type TimedInterval, timelineOf } from '../wanted/timeline.ts'
import { scheduleOf } from './schedule.ts'

/** An interval that a report has values for. */
export interface ReportInterval {
  readonly id: number
  readonly from: number
  readonly to: number
}

/** One payload of a report. */
export interface ReportItem {
  readonly payloadType: string
  readonly rule: ReportRule
  readonly units: string | null
  readonly readingType: string | null
}

/** A report to send. `reportBody` makes its body from measurements. */
export interface DueReport {
  /** Equal for the same report at any time: what was sent with this key is not sent again. */
  readonly key: string
  readonly event: VtnEvent
  readonly items: readonly ReportItem[]
  readonly resources: readonly string[]
  readonly isAggregated: boolean
  /** Empty for what has no time: acknowledgements and statuses. */
  readonly intervals: readonly ReportInterval[]
  readonly isForecast: boolean
  readonly dueAt: number
  /** What has changed, by resource: an operational status, or the state after an opt-out. */
  readonly statuses: Readonly<Record<string, OperationalStatus | OperatingState>>
}

/** What the OpenADR Alliance calls the states of a resource, as far as we know them. */
export type OperatingState = 'NORMAL' | 'ERROR' | 'RUNNING_NORMAL' | 'RUNNING_CURTAILED' | 'RUNNING_OPTED_OUT'

export const OPERATIONAL_STATUSES = ['NORMAL', 'ERROR', 'PENDING'] as const
export type OperationalStatus = (typeof OPERATIONAL_STATUSES)[number]

export interface ReportState {
  readonly mapping: Mapping
  readonly profile: Profile
  readonly addressee?: Addressee
  readonly isSent: (key: string) => boolean
  /** The statuses of resources that have changed since they were registered, with the time of the change. */
  readonly statuses?: readonly {
    readonly resourceName: string
    readonly status: OperationalStatus
    readonly since: number
  }[]
  /** When people took a resource out of an event, and when they put it back. */
  readonly optOuts?: readonly {
    readonly eventId: string
    readonly resourceName: string
    readonly isOut: boolean
    readonly since: number
  }[]
  /** How late a report may be. */
  readonly lookbackMs?: number
}

export interface DueReports {
  /** The oldest first. */
  readonly due: readonly DueReport[]
  /** What events ask for and the profile cannot answer. */
  readonly unanswered: readonly { readonly eventId: string; readonly payloadType: string }[]
  /** When the next one is due, if nothing else changes. */
  readonly nextAt: number | null
}

const DEFAULT_LOOKBACK_MS = 7 * 86_400_000
const LOOK_AHEAD_MS = 86_400_000

/** Returns the reports that are due and were not sent. Pure. */
export function dueReports(events: readonly KnownEvent[], state: ReportState, now: number): DueReports {
  const { profile, mapping, isSent, lookbackMs = DEFAULT_LOOKBACK_MS } = state
  const addressed = addressing(mapping, state.addressee ?? {})
  const unanswered: { eventId: string; payloadType: string }[] = []
  const all = events.flatMap((known) => {
    const { event } = known
    const resources = addressed(event.targets)
    if (resources.length === 0) return []
    const asked = event.reportDescriptors.filter(({ payloadType }) => {
      const isKnown = Object.hasOwn(profile.reports, payloadType)
      if (!isKnown) unanswered.push({ eventId: event.id, payloadType })
      return isKnown
    })
    return [
      ...acknowledgements(known, asked, resources, profile, now),
      ...statusReports(event, asked, resources, state),
      ...optOutReports(event, asked, resources, state),
      ...measuredReports(known, { asked, resources, profile, addressed, now, lookbackMs }),
    ]
  })
  const open = all
    .filter(({ key, dueAt }) => dueAt >= now - lookbackMs && !isSent(key))
    .sort((a, b) => a.dueAt - b.dueAt)
  const { due, hasMore } = firstOf(open.filter(({ dueAt }) => dueAt <= now))
  const later = hasMore ? now + NEXT_MS : open.find(({ dueAt }) => dueAt > now)?.dueAt
  const isLonger = events.some((known) => (spanOf(known)?.to ?? now) > now + LOOK_AHEAD_MS)
  const nextAt = later ?? (isLonger ? now + LOOK_AHEAD_MS : null)
  return { due, unanswered, nextAt }
}

/** A report whose intervals are not listed yet: a VTN may ask for thousands that have thousands of intervals each. */
type OpenReport = Omit<DueReport, 'intervals'> & { readonly intervals: () => readonly ReportInterval[] }

/** The most reports and intervals that become due in one look; the others wait for the next one. */
const [MAX_DUE, MAX_DUE_INTERVALS, NEXT_MS] = [1000, 50_000, 10_000]

function firstOf(open: readonly OpenReport[]): { due: DueReport[]; hasMore: boolean } {
  const due: DueReport[] = []
  let count = 0
  for (const report of open) {
    if (due.length === MAX_DUE || count >= MAX_DUE_INTERVALS) return { due, hasMore: true }
    const intervals = report.intervals()
    count += intervals.length
    due.push({ ...report, intervals })
  }
  return { due, hasMore: false }
}

const none = (): readonly ReportInterval[] => []

const keyOf = (...parts: readonly unknown[]) => sha256(JSON.stringify(parts)).slice(0, 32)

/**
 * One for each version of an event that has not ended, or that ended it, if it asks or the profile always acknowledges. What a
 * VTN adds to an event that is over, for example what it measured, is not acknowledged.
 */
function acknowledgements(
  known: KnownEvent,
  asked: readonly ReportDescriptor[],
  resources: readonly string[],
  { reports }: Profile,
  now: number,
): OpenReport[] {
  const { event, anchor, changes = 0, changedAt = anchor, endBefore = Number.NEGATIVE_INFINITY } = known
  const isOpen = (spanOf(known)?.to ?? Number.NEGATIVE_INFINITY) > now
  if (!isOpen && endBefore <= changedAt) return []
  return Object.entries(reports).flatMap(([payloadType, rule]) => {
    const descriptor = asked.find((one) => one.payloadType === payloadType)
    if (rule.content !== 'acknowledgement' || !(descriptor || rule.isUnasked)) return []
    return {
      key: keyOf('acknowledgement', event.id, event.version, payloadType, ...(changes > 0 ? [changes] : [])),
      event,
      items: [{ payloadType, rule, units: null, readingType: null }],
      resources,
      isAggregated: isAggregated(rule, descriptor),
      intervals: none,
      isForecast: false,
      dueAt: changedAt,
      statuses: {},
    }
  })
}

/** One for each change of a status, against an event that asks for them. */
function statusReports(
  event: VtnEvent,
  asked: readonly ReportDescriptor[],
  resources: readonly string[],
  { profile, statuses = [] }: ReportState,
): OpenReport[] {
  return changeReports('status', 'operational-status', event, asked, resources, profile, statuses)
}

/** One for each time that people took a resource out of an event or back into it, where it asks for operating states. */
function optOutReports(
  event: VtnEvent,
  asked: readonly ReportDescriptor[],
  resources: readonly string[],
  { profile, optOuts = [] }: ReportState,
): OpenReport[] {
  const changes = optOuts
    .filter(({ eventId }) => eventId === event.id)
    .map(({ isOut, ...change }) => ({
      ...change,
      status: isOut ? ('RUNNING_OPTED_OUT' as const) : ('NORMAL' as const),
    }))
  return changeReports('opt-out', 'operating-state', event, asked, resources, profile, changes)
}

function changeReports(
  kind: string,
  content: ReportRule['content'],
  event: VtnEvent,
  asked: readonly ReportDescriptor[],
  resources: readonly string[],
  profile: Profile,
  changes: readonly { resourceName: string; status: OperationalStatus | OperatingState; since: number }[],
): OpenReport[] {
  // An event may ask for the same payload with several terms.
  return [...new Set(asked.map(({ payloadType }) => payloadType))].flatMap((payloadType) => {
    const rule = profile.reports[payloadType]
    if (rule?.content !== content) return []
    return changes
      .filter(({ resourceName }) => resources.includes(resourceName))
      .map(({ resourceName, status, since }) => ({
        key: keyOf(kind, event.id, payloadType, resourceName, status, since),
        event,
        items: [{ payloadType, rule, units: null, readingType: null }],
        resources: [resourceName],
        isAggregated: false,
        intervals: none,
        isForecast: false,
        dueAt: since,
        statuses: { [resourceName]: status },
      }))
  })
}

const isAggregated = (rule: ReportRule | undefined, descriptor: ReportDescriptor | undefined) =>
  rule?.isAggregated ?? descriptor?.aggregate ?? false

/** Descriptors with the same terms go into one report: the quality of data is reported beside the data. */
function measuredReports(
  known: KnownEvent,
  {
    asked,
    resources,
    profile,
    addressed,
    now,
    lookbackMs,
  }: {
    readonly asked: readonly ReportDescriptor[]
    readonly resources: readonly string[]
    readonly profile: Profile
    readonly addressed: (targets: ReportDescriptor['targets']) => readonly string[]
    readonly now: number
    readonly lookbackMs: number
  },
): OpenReport[] {
  const { event } = known
  const measured = asked.filter(({ payloadType }) => {
    const content = profile.reports[payloadType]?.content
    return content !== 'acknowledgement' && content !== 'operational-status'
  })
  if (measured.length === 0) return []
  const count = countOf(known)
  const window = { from: beginningOf(known, measured, count, now - lookbackMs), to: now + LOOK_AHEAD_MS }
  if (repeatedIn(known, window) > MAX_REPEATED) return []
  const intervals = timelineOf(known, window)
  const numbers = new Map(intervals.map((interval) => [numberOf(event, interval), interval]))
  const range = { first: Math.min(...numbers.keys()), last: Math.max(...numbers.keys()) }
  const groups = Map.groupBy(measured, (descriptor) =>
    JSON.stringify({ ...descriptor, payloadType: '', readingType: '', units: '' }),
  )
  return [...groups.values()].flatMap((descriptors) => {
    const [terms] = descriptors
    if (!terms) return []
    const ofTerms = addressed(terms.targets).filter((name) => resources.includes(name))
    if (ofTerms.length === 0) return []
    return scheduleOf(terms, count, range).flatMap(({ first, last, isForecast }) => {
      // Some numbers have no interval: one that lasts no time.
      const listed = () => numbersIn(first, last).flatMap((number) => numbers.get(number) ?? [])
      const opening = numbers.get(first) ?? listed()[0]
      const closing = numbers.get(last) ?? listed().at(-1)
      // What never ends is never complete.
      if (!opening || !closing || (!isForecast && closing.to >= END_OF_TIME)) return []
      const items = descriptors.flatMap(({ payloadType, units, readingType }) => {
        const rule = profile.reports[payloadType]
        return rule ? [{ payloadType, rule, units: unitFor(rule, units), readingType }] : []
      })
      const payloads = items.map(({ payloadType, readingType }) => [payloadType, readingType])
      return {
        key: keyOf('measured', event.id, payloads, isForecast, first, last, isForecast ? opening.from : closing.to),
        event,
        items,
        resources: ofTerms,
        isAggregated: items.some(({ rule }) => isAggregated(rule, terms)),
        intervals: () => listed().map(({ id, from, to }) => ({ id, from, to })),
        isForecast,
        dueAt: isForecast ? opening.from : closing.to,
        statuses: {},
      }
    })
  })
}

const [POWER, ENERGY] = [new Set(['W', 'KW', 'MW']), new Set(['WH', 'KWH', 'MWH'])]
const UNITS: Readonly<Partial<Record<ReportRule['content'], readonly ReadonlySet<string>[]>>> = {
  usage: [ENERGY],
  demand: [POWER],
  'delivered-flexibility': [POWER],
  baseline: [POWER, ENERGY],
}

/** The unit that an event asks for; that of the profile, which the report names, where we have no values in it. */
function unitFor({ content, unit }: ReportRule, asked: string | null): string | null {
  const known = UNITS[content]
  const isKnown = asked !== null && (!known || known.some((units) => units.has(asked.toUpperCase())))
  return isKnown ? asked : (unit ?? null)
}

const numbersIn = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** From when on the intervals of an event are looked at: all of them, unless it repeats them for too long. */
function beginningOf(known: KnownEvent, measured: readonly ReportDescriptor[], count: number, dueFrom: number): number {
  const cycle = cycleOf(known)
  if (cycle === undefined || count <= MAX_REPEATED) return Number.NEGATIVE_INFINITY
  // A report that is due by then has its first intervals before.
  const longest = Math.max(...measured.map(({ numIntervals }) => numIntervals))
  return dueFrom - Math.ceil(Math.max(longest, 1) / known.event.intervals.length + 1) * cycle
}

const numberOf = ({ intervals }: VtnEvent, { index, round }: TimedInterval) => round * intervals.length + index

/** How many intervals an event has in all; infinite when it repeats them without end. */
function countOf(known: KnownEvent): number {
  const { event } = known
  if (!event.duration) return event.intervals.length
  const span = spanOf(known)
  if (!span || span.to >= END_OF_TIME) return Number.POSITIVE_INFINITY
  const last = timelineOf(known, { from: span.to - 1, to: span.to }).at(-1)
  return last ? numberOf(event, last) + 1 : event.intervals.length
}
