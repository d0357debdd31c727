import { DIRECTIONS, type Direction, SHORTEST_INTERVAL_MS } from '@plantroom/contract/power-limit'
import type { Place } from '../connections/connections.ts'
import { quarterEnd, quarterStart } from '../optimisation/ceiling.ts'
import type { Moment } from '../overrides/timeline.ts'
import type { Change } from '../store/commits.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import type { LimiterState } from './limiter-state.ts'
import type { LimitEnd } from './power-limits.ts'
import { appliedEntry, gapOf, intervalEntry, type Part, releasedEntry } from './proof.ts'
import { phaseOf } from './start-limits.ts'

/** Records which limits have started, and forgets those that are over. */
export function beginAndEnd(state: LimiterState, now: Moment): void {
  const { audit } = state
  const place = meterOf(state)
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
  const place = meterOf(state)
  for (let from = limit?.provenTo; limit && from !== undefined && from < until; from = quarterEnd(from)) {
    const at = Math.min(quarterEnd(from), until)
    reportPart(state, to, place, { direction: limit.direction, part: gapOf(limit, from, at), at })
  }
}

/** Ends every limit: without a meter, nothing could keep them or prove that they were kept. */
export function endAll(state: LimiterState): void {
  const { commits, audit, timekeeper } = state
  const place = meterOf(state)
  const { wall } = timekeeper.now()
  closeAll(state)
  void commits.record((to) => {
    for (const limit of state.limits().all()) {
      if (!state.limits().find(to, limit.seq)) continue
      if (place) audit.add(to, audit.entry(releasedEntry(place, limit, 'ended', wall)))
      state.limits().ended(to, limit)
    }
  })
}

/** Reports what is open: from now on, another meter counts. */
export function closeAll(state: LimiterState): void {
  const { wall } = state.timekeeper.now()
  for (const direction of DIRECTIONS) closeParts(state, direction, wall, () => true)
}

/** Records within a change that a limit was released, with the interval that was open. */
export function recordRelease(state: LimiterState, to: Change, limit: PowerLimit, end: LimitEnd): void {
  const place = meterOf(state)
  if (!place) return
  const { wall } = state.timekeeper.now()
  const { direction } = limit
  for (const part of state.sides[direction].parts.filter(isOf(limit)))
    reportPart(state, to, place, { direction, part, at: wall })
  to.after(() => takeParts(state, direction, isOf(limit)))
  if (limit.isApplied || end === 'restart')
    state.audit.add(to, state.audit.entry(releasedEntry(place, limit, end, wall)))
}

const meterOf = ({ settings, connections }: LimiterState) => settings && connections.find(settings.meterId)

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
  // Of now: the change is carried out later, when another meter may be commissioned, or none.
  const place = meterOf(state)
  void state.commits.record((to) => {
    for (const part of parts) {
      const end = Math.min(at < part.interval.from ? part.interval.newest : at, part.to)
      reportPart(state, to, place, { direction, part, at: end })
    }
  })
}

function takeParts(state: LimiterState, direction: Direction, isTaken: (part: Part) => boolean): readonly Part[] {
  const side = state.sides[direction]
  const taken = side.parts.filter(isTaken)
  if (taken.length > 0) state.sides[direction] = { ...side, parts: side.parts.filter((part) => !isTaken(part)) }
  return taken
}

function reportPart(
  { limits, audit }: LimiterState,
  to: Change,
  place: Place | undefined,
  { direction, part, at }: { direction: Direction; part: Part; at: number },
): void {
  // A contact may close at any time: one that was closed for a moment needs no entry.
  if (!place || at - part.interval.from <= (part.limit ? 0 : SHORTEST_INTERVAL_MS)) return
  audit.add(to, audit.entry(intervalEntry(place, direction, part, at)))
  if (part.limit) limits().proven(to, part.limit, at)
}
