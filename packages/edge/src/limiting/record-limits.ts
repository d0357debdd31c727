import { DIRECTIONS, type Direction } from '@plantroom/contract/power-limit'
import { quarterEnd, quarterStart } from '../optimisation/ceiling.ts'
import type { Moment } from '../overrides/timeline.ts'
import type { Change } from '../store/commits.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import type { LimiterState } from './limiter-state.ts'
import type { LimitEnd } from './power-limits.ts'
import { appliedEntry, gapOf, intervalEntry, type Part, releasedEntry } from './proof.ts'
import { phaseOf } from './start-limits.ts'

/** A contact that was closed for a shorter time says nothing: loads and meter need some of it to react. */
const SHORTEST_MS = 60_000

/** Records which limits have started, and forgets those that are over. */
export function beginAndEnd(state: LimiterState, now: Moment): void {
  const { settings, connections, audit } = state
  const place = settings && connections.find(settings.meterId)
  for (const limit of state.limits().all()) {
    const phase = phaseOf(limit, state.started, now)
    if (phase === 'over') {
      closeParts(state, limit.direction, Math.min(now.wall, limit.to), isOf(limit))
      recordOnce(state, limit, (to) => {
        if (!state.limits().find(to, limit.seq)) return
        reportGap(state, to, limit, Math.min(now.wall, limit.to))
        const end = limit.isApplied ? 'ended' : 'restart'
        if (place) audit.add(to, audit.entry(releasedEntry(place, limit, end, now.wall)))
        state.limits().ended(to, limit)
      })
    } else if (phase === 'active' && isUnreported(limit)) {
      recordOnce(state, limit, (to) => {
        const placed = state.limits().find(to, limit.seq)
        if (!placed || !isUnreported(placed)) return
        if (place) audit.add(to, audit.entry(appliedEntry(place, limit, now.wall)))
        state.limits().started(to, limit, now.wall)
      })
    } else if (phase === 'active' && isUnproven(state, limit, quarterStart(now.wall))) {
      recordOnce(state, limit, (to) => reportGap(state, to, limit, quarterStart(now.wall)))
    }
  }
}

/** Asks for a change about a limit, unless one waits: each limit that is recorded leads to a look at all of them. */
function recordOnce({ beingRecorded, commits }: LimiterState, { seq }: PowerLimit, change: (to: Change) => void): void {
  if (beingRecorded.has(seq)) return
  beingRecorded.add(seq)
  void commits.record((to) => {
    beingRecorded.delete(seq)
    change(to)
  })
}

/** The audit does not say yet that it has started here. */
const isUnreported = ({ isApplied, isTakenOver }: PowerLimit) => !isApplied || isTakenOver

/** Whole quarters of an hour passed while the controller was off. */
const isUnproven = ({ sides }: LimiterState, limit: PowerLimit, until: number) =>
  limit.provenTo !== undefined && limit.provenTo < until && !sides[limit.direction].parts.some(isOf(limit))

/** Reports each quarter of an hour in which a limit was in force and the controller was not running. */
function reportGap(state: LimiterState, to: Change, { seq }: PowerLimit, until: number): void {
  const limit = state.limits().find(to, seq)
  for (let from = limit?.provenTo; limit && from !== undefined && from < until; from = quarterEnd(from)) {
    const end = Math.min(quarterEnd(from), until)
    reportPart(state, to, limit.direction, gapOf(limit, from, end), end)
  }
}

/** Ends every limit: without a meter, nothing could keep them or prove that they were kept. */
export function endAll(state: LimiterState): void {
  const { commits, audit, settings, connections, timekeeper } = state
  const place = settings && connections.find(settings.meterId)
  const { wall } = timekeeper.now()
  for (const direction of DIRECTIONS) closeParts(state, direction, wall, () => true)
  void commits.record((to) => {
    for (const limit of state.limits().all()) {
      if (!state.limits().find(to, limit.seq)) continue
      if (place) audit.add(to, audit.entry(releasedEntry(place, limit, 'ended', wall)))
      state.limits().ended(to, limit)
    }
  })
}

/** Records within a change that a limit was released, with the interval that was open. */
export function recordRelease(state: LimiterState, to: Change, limit: PowerLimit, end: LimitEnd): void {
  const place = state.settings && state.connections.find(state.settings.meterId)
  if (!place) return
  const { wall } = state.timekeeper.now()
  const { direction } = limit
  for (const part of state.sides[direction].parts.filter(isOf(limit))) reportPart(state, to, direction, part, wall)
  to.after(() => takeParts(state, direction, isOf(limit)))
  if (limit.isApplied || end === 'restart')
    state.audit.add(to, state.audit.entry(releasedEntry(place, limit, end, wall)))
}

const isOf =
  ({ seq }: PowerLimit) =>
  ({ limit }: Part) =>
    limit?.seq === seq

/** Reports the parts that are over. When the clock was set back to before its start, a part ends with its last reading. */
export function closeParts(
  state: LimiterState,
  direction: Direction,
  at: number,
  isOver: (part: Part) => boolean,
): void {
  const parts = takeParts(state, direction, isOver)
  if (parts.length === 0) return
  void state.commits.record((to) => {
    for (const part of parts) {
      const end = Math.min(at < part.interval.from ? part.interval.newest : at, part.to)
      reportPart(state, to, direction, part, end)
    }
  })
}

function takeParts(state: LimiterState, direction: Direction, isTaken: (part: Part) => boolean): readonly Part[] {
  const side = state.sides[direction]
  const taken = side.parts.filter(isTaken)
  if (taken.length > 0) state.sides[direction] = { ...side, parts: side.parts.filter((part) => !isTaken(part)) }
  return taken
}

function reportPart(state: LimiterState, to: Change, direction: Direction, part: Part, at: number): void {
  const place = state.settings && state.connections.find(state.settings.meterId)
  if (!place || at - part.interval.from <= (part.limit ? 0 : SHORTEST_MS)) return
  state.audit.add(to, state.audit.entry(intervalEntry(place, direction, part, at)))
  if (part.limit) state.limits().proven(to, part.limit, at)
}
