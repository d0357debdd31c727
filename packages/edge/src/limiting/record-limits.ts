import { DIRECTIONS, type Direction } from '@plantroom/contract/power-limit'
import type { Moment } from '../overrides/timeline.ts'
import type { Change } from '../store/commits.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import type { LimiterState } from './limiter-state.ts'
import type { LimitEnd } from './power-limits.ts'
import { appliedEntry, intervalEntry, type Part, releasedEntry } from './proof.ts'
import { phaseOf } from './start-limits.ts'

/** Records which limits have started, and forgets those that are over. */
export function beginAndEnd(state: LimiterState, now: Moment): void {
  const { settings, connections, commits, audit } = state
  const place = settings && connections.find(settings.meterId)
  for (const limit of state.limits().all()) {
    const phase = phaseOf(limit, state.started, now)
    if (phase === 'over') {
      const { part } = state.sides[limit.direction]
      if (part?.limit?.seq === limit.seq) closePart(state, limit.direction, Math.min(now.wall, limit.to))
      void commits.record((to) => {
        if (!state.limits().find(to, limit.seq)) return
        const end = limit.isApplied ? 'ended' : 'restart'
        if (place) audit.add(to, audit.entry(releasedEntry(place, limit, end, now.wall)))
        state.limits().ended(to, limit)
      })
    } else if (phase === 'active' && isUnreported(limit)) {
      void commits.record((to) => {
        const placed = state.limits().find(to, limit.seq)
        if (!placed || !isUnreported(placed)) return
        if (place) audit.add(to, audit.entry(appliedEntry(place, limit, now.wall)))
        state.limits().started(to, limit)
      })
    }
  }
}

/** The audit does not say yet that it has started here. */
const isUnreported = ({ isApplied, isTakenOver }: PowerLimit) => !isApplied || isTakenOver

/** Ends every limit: without a meter, nothing could keep them or prove that they were kept. */
export function endAll(state: LimiterState): void {
  const { commits, audit, settings, connections, timekeeper } = state
  const place = settings && connections.find(settings.meterId)
  const { wall } = timekeeper.now()
  for (const direction of DIRECTIONS) closePart(state, direction, wall)
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
  const { part } = state.sides[limit.direction]
  if (part?.limit?.seq === limit.seq) {
    reportPart(state, to, limit.direction, part, wall)
    to.after(() => takePart(state, limit.direction))
  }
  if (limit.isApplied || end === 'restart')
    state.audit.add(to, state.audit.entry(releasedEntry(place, limit, end, wall)))
}

/** Reports a part that is over. When the clock was set back to before its start, it ends with its last reading. */
export function closePart(state: LimiterState, direction: Direction, at: number): void {
  const part = takePart(state, direction)
  if (!part) return
  const end = Math.min(at < part.interval.from ? part.interval.newest : at, part.to)
  void state.commits.record((to) => reportPart(state, to, direction, part, end))
}

function takePart(state: LimiterState, direction: Direction): Part | undefined {
  const { part, ...side } = state.sides[direction]
  state.sides[direction] = { ...side, part: undefined }
  return part
}

function reportPart(state: LimiterState, to: Change, direction: Direction, part: Part, at: number): void {
  const place = state.settings && state.connections.find(state.settings.meterId)
  if (!place || !part.limit || at <= part.interval.from) return
  state.audit.add(to, state.audit.entry(intervalEntry(place, direction, part, at)))
}
