import type { Log } from '@plantroom/base/log'
import type { Connections } from '../connections/connections.ts'
import type { Change } from '../store/commits.ts'
import { endShared } from './end-shared.ts'
import { addToTimeline, evaluate, LONGEST_WAIT_MS, type OverrideState } from './evaluate.ts'
import { type TimeWait, waitForTime } from './timekeeper.ts'

/** How often the time is recorded while nothing is placed or held. */
const IDLE_REMEMBER_MS = 15 * 60_000

/** What a start of the device needs, beside the overrides. */
export interface StartState extends OverrideState {
  connections: Connections
  log: Log
  isMemoryLost: boolean
  /** Present while the overrides wait until the time is known. */
  timeWait: TimeWait | undefined
  stopRemembering(): void
}

/**
 * Resumes the overrides in the journal and releases those that ended while the device was down. While the time is not
 * known, or part of the memory is lost, it restores the equipment instead.
 */
export async function resumeOverrides(state: StartState, ready: () => void): Promise<void> {
  const { commits, store, timekeeper, clock, log, arbiter } = state
  await commits.record(() => {
    for (const override of store.load()) addToTimeline(state, override)
  })
  const closing = await commits.record((to) => endShared(state, to))
  for (const { datapointId, by } of closing) {
    // A hold that had not read the equipment yet is gone without it.
    if (arbiter.isHeld(datapointId)) await arbiter.closeHold(datapointId, 'abandoned', by)
  }
  const known = () => !timekeeper.suspect()
  if (state.isMemoryLost) {
    // One of them may have been cancelled in the part that is missing.
    log.warn('the controller has lost its memory: equipment is restored until the service has given it back')
    await commits.record((to) => suspend(state, to))
    ready()
  } else if (known()) {
    await commits.record((to) => resume(state, to))
    ready()
  } else {
    state.timeWait = waitForTime({
      known,
      clock,
      onKnown: () => void commits.record((to) => resume(state, to)).then(ready),
      onTooLong() {
        log.warn(
          'the time is unknown: the clock is behind the latest recorded time, or was far off; equipment is restored until the time is known',
        )
        void commits.record((to) => suspend(state, to)).then(ready)
      },
    })
  }
  rememberTimeLater(state)
}

function resume(state: StartState, to: Change): void {
  const { timekeeper, connections, log } = state
  const time = timekeeper.atBoot()
  for (const datapointId of affectedDatapoints(state)) {
    if (!connections.find(datapointId)) {
      log.error({ datapointId }, 'an override is on a datapoint that is not commissioned')
    }
    evaluate(state, to, datapointId, time, 'restart')
  }
  timekeeper.remember(to)
  to.after(() => {
    state.resumed = true
  })
}

/** Restores the equipment while the time is unknown. The overrides resume when it is known. */
function suspend(state: StartState, to: Change): void {
  for (const datapointId of affectedDatapoints(state)) {
    state.arbiter.decide(to, datapointId, 'demand-response', undefined, 'suspended')
  }
}

/** Returns every datapoint that has an override or is held. Each is evaluated after a start. */
function affectedDatapoints({ arbiter, byId }: StartState): Set<string> {
  const ids = new Set<string>()
  for (const { datapointId } of arbiter.holds()) ids.add(datapointId)
  for (const { datapointId } of byId.kept.values()) ids.add(datapointId)
  return ids
}

/** Every record is a flush, which wears out an SD card. Without an override or a hold, nothing can end too late. */
function rememberTimeLater(state: StartState, idleMs = 0): void {
  const { clock, commits, timekeeper, arbiter, byId } = state
  state.stopRemembering = clock.after(LONGEST_WAIT_MS, () => {
    const isIdle = byId.kept.size === 0 && arbiter.holds()[Symbol.iterator]().next().done === true
    const waited = idleMs + LONGEST_WAIT_MS
    // After a power cut, a recorded time that was wrong would make a right clock suspect.
    const isDue = !isIdle || waited >= IDLE_REMEMBER_MS || timekeeper.isCorrected()
    if (isDue) void commits.record(timekeeper.remember)
    rememberTimeLater(state, isDue ? 0 : waited)
  })
}
