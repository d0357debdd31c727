import type { Clock } from '@plantroom/base/clock'
import type { EntryCaller, ReportReason } from '@plantroom/contract/reports'
import type { Audit } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { Override, OverrideStore } from '../store/override-store.ts'
import type { StagedMap } from '../store/staged-map.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { Claim } from '../writing/hold.ts'
import { insert, remove, type Tree } from './sorted-tree.ts'
import type { Timekeeper } from './timekeeper.ts'
import { EMPTY_TIMELINE, isEmpty, type Moment, nextWake, place, step, type Timeline, withdraw } from './timeline.ts'

/** A timer never runs longer than this, so that a stepped clock is noticed. */
export const LONGEST_WAIT_MS = 30_000

/** The overrides of the device in memory, and what evaluating them needs. */
export interface OverrideState {
  store: OverrideStore
  commits: Commits
  arbiter: Arbiter
  audit: Pick<Audit, 'without'>
  timekeeper: Timekeeper
  clock: Clock
  timelines: StagedMap<string, Timeline>
  byId: StagedMap<string, Override>
  byCaller: StagedMap<string, CallerOverrides>
  /** By caller and reqId: recognises a repeated request even when its answer is no longer kept. */
  byRequest: StagedMap<string, Override>
  /** `seq` is that of the override accepted last. */
  counts: StagedMap<'overrides' | 'seq', number>
  /** Cancels the timer of each datapoint. */
  timers: Map<string, () => void>
  /** False until the time is known. Nothing is applied before. */
  resumed: boolean
  closed: boolean
}

/** What one caller has placed and has not ended, in the order of acceptance. Immutable. */
export interface CallerOverrides {
  count: number
  overrides: Tree<Override>
}

const NONE: CallerOverrides = { count: 0, overrides: undefined }
const bySeq = (a: Override, b: Override) => a.seq - b.seq

/** UUIDs are case-insensitive. */
export const requestKey = ({ placedBy, reqId }: Pick<Override, 'placedBy' | 'reqId'>) =>
  `${placedBy} ${reqId.toLowerCase()}`

/** Adds an override to the state in memory, inside a change. */
export function addToTimeline(state: OverrideState, override: Override): void {
  const { timelines, byId, byCaller, byRequest, counts } = state
  const { datapointId, placedBy } = override
  const { count, overrides } = byCaller.get(placedBy) ?? NONE
  timelines.set(datapointId, place(timelines.get(datapointId) ?? EMPTY_TIMELINE, override))
  byId.set(override.id, override)
  byRequest.set(requestKey(override), override)
  byCaller.set(placedBy, { count: count + 1, overrides: insert(overrides, override, bySeq) })
  counts.set('overrides', (counts.get('overrides') ?? 0) + 1)
  counts.set('seq', override.seq)
}

function forget(state: OverrideState, to: Change, override: Override): void {
  const { store, byId, byCaller, byRequest, counts } = state
  const { count, overrides } = byCaller.get(override.placedBy) ?? NONE
  const left = { count: count - 1, overrides: remove(overrides, override, bySeq) }
  byCaller.set(override.placedBy, left.count > 0 ? left : undefined)
  store.remove(to, override.seq)
  byId.set(override.id, undefined)
  byRequest.set(requestKey(override), undefined)
  counts.set('overrides', (counts.get('overrides') ?? 0) - 1)
}

/** Brings the timeline of one datapoint up to the given time and states the claim of the override that is active then. */
export function evaluate(
  state: OverrideState,
  to: Change,
  datapointId: string,
  time: Moment,
  because?: 'restart' | { cancelledBy: EntryCaller },
): void {
  const { timelines, byId, arbiter } = state
  const before = timelines.get(datapointId) ?? EMPTY_TIMELINE
  const { timeline: after, effects } = step(before, time)
  timelines.set(datapointId, isEmpty(after) ? undefined : after)
  const holderId = holdingOverride(state, datapointId)
  for (const { kind, override } of effects) {
    if (kind !== 'discard') continue
    forget(state, to, override)
    if (override.id === holderId) continue
    arbiter.closeOverride(to, datapointId, claimOf(override), closingReason(override, before, because))
  }
  if (after.active?.id !== holderId) {
    const isOver = holderId !== undefined && !byId.get(holderId)
    const reason = isOver ? (because ?? 'ended') : 'superseded'
    arbiter.decide(to, datapointId, 'demand-response', after.active && claimOf(after.active), reason)
  }
  to.after(() => wakeLater(state, datapointId))
}

/** Removes an override before its end, and hands its datapoint to the next one or to the next writer. */
export function withdrawOverride(state: OverrideState, to: Change, override: Override, cancelledBy: EntryCaller): void {
  const isHolder = takeOut(state, to, override)
  if (!isHolder) state.arbiter.closeOverride(to, override.datapointId, claimOf(override), { cancelledBy })
  handOver(state, to, override.datapointId, isHolder && { cancelledBy })
}

/**
 * Removes an override that was saved a moment ago and that nothing has been written for. The audit does not mention it,
 * unless another one has superseded it since.
 */
export function undoOverride(state: OverrideState, to: Change, override: Override, cancelledBy: EntryCaller): void {
  const { arbiter, audit, timekeeper } = state
  const { id, datapointId } = override
  const isHolder = takeOut(state, to, override)
  const isSuperseded = !isHolder && override.from <= timekeeper.now().wall
  if (isSuperseded) arbiter.closeOverride(to, datapointId, claimOf(override), { cancelledBy })
  audit.without(id, () => handOver(state, to, datapointId, isHolder && { cancelledBy }))
}

/** Removes an override from the journal and its timeline. Returns whether it holds its datapoint. */
function takeOut(state: OverrideState, to: Change, override: Override): boolean {
  const { timelines } = state
  const { datapointId } = override
  timelines.set(datapointId, withdraw(timelines.get(datapointId) ?? EMPTY_TIMELINE, override))
  forget(state, to, override)
  return holdingOverride(state, datapointId) === override.id
}

/** Decides anew who holds the datapoint. `ended` says who has ended the override that holds it. */
function handOver(
  state: OverrideState,
  to: Change,
  datapointId: string,
  ended: false | { cancelledBy: EntryCaller },
): void {
  const { arbiter, timekeeper, resumed } = state
  if (resumed) evaluate(state, to, datapointId, timekeeper.now(), ended || undefined)
  else if (ended) arbiter.decide(to, datapointId, 'demand-response', undefined, ended)
}

function wakeLater(state: OverrideState, datapointId: string): void {
  const { timers, timelines, timekeeper, commits, clock } = state
  timers.get(datapointId)?.()
  timers.delete(datapointId)
  const timeline = timelines.get(datapointId)
  const wait = timeline && nextWake(timeline, timekeeper.now())
  if (wait === undefined || state.closed) return
  const wake = () => {
    void commits.record((to) => {
      if (!state.closed) evaluate(state, to, datapointId, timekeeper.now())
    })
  }
  timers.set(datapointId, clock.after(Math.min(wait, LONGEST_WAIT_MS), wake))
}

/** Returns the id of the override that holds the datapoint by the arbiter's decision. */
function holdingOverride({ arbiter }: OverrideState, datapointId: string): string | undefined {
  return arbiter.claims(datapointId)['demand-response']?.overrideId
}

/** Returns why an override is over that does not hold its datapoint: it was superseded, or its whole window was missed. */
function closingReason(override: Override, before: Timeline, because: Parameters<typeof evaluate>[4]): ReportReason {
  if (because === 'restart') return 'restart'
  return before.active && before.active.seq > override.seq ? 'superseded' : 'ended'
}

function claimOf({ id, reqId, value, to, placedBy, placedByName: name, reason }: Override): Claim {
  const caller = { id: placedBy, name, reason }
  return { by: 'demand-response', want: { value }, overrideId: id, reqId, until: to, placedBy: caller }
}
