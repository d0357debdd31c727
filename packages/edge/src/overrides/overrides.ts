import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { ReportReason } from '@plantroom/contract/reports'
import { shown } from '@plantroom/contract/shown'
import type { Connections } from '../connections/connections.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { StoredWindow, WindowStore } from '../store/window-store.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { Claim } from '../writing/claims.ts'
import type { Failsafes } from '../writing/failsafes.ts'
import { checkWindow } from './accept.ts'
import type { Caller, Once } from './once.ts'
import type { OverrideIds } from './override-id.ts'
import { type Held, isEmpty, type Moment, NOTHING_HELD, nextWake, place, step, type Window, withdraw } from './step.ts'
import type { Timekeeper } from './timekeeper.ts'
import { type TimeWait, waitForTime } from './wait-for-time.ts'

/** A timer never runs longer than this, so that a stepped clock is noticed. */
const LONGEST_WAIT_MS = 30_000
/** What a caller asks for. */
export interface Setpoint {
  datapointId: string
  value: number
  from: number
  to: number
}

/** The overrides of the device: accepted, held through restarts, ended on time. */
export interface Overrides {
  /** Resolves with the reply when the override is on disk and active or queued. Rejects with a `Failure`: then nothing was done. */
  place(setpoint: Setpoint, caller: Caller): Promise<string>
  /** Ends an override now. One that ended before stays ended; an id that this device never issued is rejected. */
  cancel(id: string, caller: Caller): Promise<string>
  /**
   * Resumes what the journal holds; overrides that ended while the device was down are released. Calls `ready` once it
   * is decided what every datapoint is to hold: at once, or a few seconds later when the time is not known.
   */
  start(ready: () => void): Promise<void>
  heardCloudTime(time: number): void
  /** Reports whether there is an override on this datapoint, active or queued. */
  holds(datapointId: string): boolean
  figures(): { windowsHeld: number; clockSuspect: boolean }
  /** The overrides of each datapoint, and the time by which they are judged. Read-only. */
  view(): { held: ReadonlyMap<string, Held>; now: Moment; clockSuspect: boolean }
  close(): void
}

export function createOverrides(deps: {
  windows: WindowStore
  timekeeper: Timekeeper
  commits: Commits
  once: Once
  ids: OverrideIds
  arbiter: Arbiter
  connections: Connections
  failsafes: Pick<Failsafes, 'guards'>
  clock: Clock
  log: Log
}): Overrides {
  const { windows, timekeeper, commits, once, ids, arbiter, connections, failsafes, clock, log } = deps
  const held = commits.stagedMap<string, Held>()
  const byId = commits.stagedMap<string, StoredWindow>()
  const counts = commits.stagedMap<'windows' | 'seq', number>()
  const timers = new Map<string, () => void>()
  /** Nothing is applied before the time is known. */
  let resumed = false
  let timeWait: TimeWait | undefined
  let closed = false

  function add(window: StoredWindow): void {
    held.set(window.datapointId, place(held.get(window.datapointId) ?? NOTHING_HELD, window))
    byId.set(window.id, window)
    counts.set('windows', (counts.get('windows') ?? 0) + 1)
    counts.set('seq', window.seq)
  }

  function remove(to: Change, window: Window): void {
    windows.remove(to, window.seq)
    byId.set(window.id, undefined)
    counts.set('windows', (counts.get('windows') ?? 0) - 1)
  }

  const holderOf = (datapointId: string) => arbiter.standing(datapointId)['demand-response']?.overrideId

  /** Looks at the time for one datapoint and states the claim of the override that is active now. */
  function look(to: Change, datapointId: string, time: Moment, because?: 'cancelled' | 'restart'): void {
    const before = held.get(datapointId) ?? NOTHING_HELD
    const { held: after, effects } = step(before, time)
    held.set(datapointId, isEmpty(after) ? undefined : after)
    const holder = holderOf(datapointId)
    for (const { kind, window } of effects) {
      if (kind !== 'discard') continue
      remove(to, window)
      if (window.id !== holder) arbiter.closed(to, datapointId, claimOf(window), closingReason(window, before, because))
    }
    if (after.ruling?.id !== holder) {
      const isOver = holder !== undefined && !byId.get(holder)
      const reason = isOver ? (because ?? 'ended') : 'superseded'
      arbiter.decide(to, datapointId, 'demand-response', after.ruling && claimOf(after.ruling), reason)
    }
    to.after(() => wakeLater(datapointId))
  }

  function wakeLater(datapointId: string): void {
    timers.get(datapointId)?.()
    timers.delete(datapointId)
    const waiting = held.get(datapointId)
    const wait = waiting && nextWake(waiting, timekeeper.now())
    if (wait === undefined || closed) return
    const wake = () => void commits.record((to) => closed || look(to, datapointId, timekeeper.now()))
    timers.set(datapointId, clock.after(Math.min(wait, LONGEST_WAIT_MS), wake))
  }

  let stopRemembering = () => {}
  function rememberTimeLater(): void {
    stopRemembering = clock.after(LONGEST_WAIT_MS, () => {
      void commits.record(timekeeper.remember)
      rememberTimeLater()
    })
  }

  // Datapoints are going: what is asked for from now on could not be carried out.
  function refuseWhenClosed(): void {
    if (closed) throw rejected('the controller is stopping, so nothing was done; send the command again')
  }

  function take(to: Change, { datapointId, value, from, to: end }: Setpoint, { reqId, keyId }: Caller): string {
    const found = connections.find(datapointId)
    if (!found) throw rejected(`datapoint ${shown(datapointId)} is not loaded on this device`)
    const { datapoint, connection } = found
    if (datapoint.accessType === 'READ') throw rejected(`datapoint ${datapoint.name} is READ: it cannot be written`)
    if (failsafes.guards(datapointId)) {
      throw rejected(`datapoint ${datapoint.name} is the failsafe register of another datapoint`)
    }
    const time = timekeeper.now()
    const clockSuspect = timekeeper.suspect()
    checkWindow({ from, to: end, now: time.wall, clockSuspect, windowsHeld: counts.get('windows') ?? 0 })
    connection.toRaw(datapointId, value)
    // A power cut must not take the device back to before this override was accepted.
    timekeeper.remember(to)

    const id = ids.issue()
    const seq = (counts.get('seq') ?? 0) + 1
    const window = { id, seq, datapointId, value, from, to: end, reqId, placedBy: keyId }
    add(window)
    windows.add(to, window)
    look(to, datapointId, time)
    return id
  }

  function drop(to: Change, window: StoredWindow): void {
    const { datapointId } = window
    const isHolder = holderOf(datapointId) === window.id
    held.set(datapointId, withdraw(held.get(datapointId) ?? NOTHING_HELD, window))
    remove(to, window)
    if (!isHolder) arbiter.closed(to, datapointId, claimOf(window), 'cancelled')
    if (resumed) look(to, datapointId, timekeeper.now(), isHolder ? 'cancelled' : undefined)
    else if (isHolder) arbiter.decide(to, datapointId, 'demand-response', undefined, 'cancelled')
  }

  /** Every datapoint that has an override or is held: after a start each is decided on. */
  function touched(): Set<string> {
    const all = new Set<string>(arbiter.held())
    for (const { datapointId } of byId.kept.values()) all.add(datapointId)
    return all
  }

  function resume(to: Change): void {
    const time = timekeeper.atBoot()
    for (const datapointId of touched()) {
      if (!connections.find(datapointId))
        log.error({ datapointId }, 'an override on a datapoint that is not commissioned')
      look(to, datapointId, time, 'restart')
    }
    timekeeper.remember(to)
    to.after(() => {
      resumed = true
    })
  }

  /** The time is not known, so equipment is restored rather than held. The overrides resume when it is. */
  function suspend(to: Change): void {
    for (const datapointId of touched()) arbiter.decide(to, datapointId, 'demand-response', undefined, 'suspended')
  }

  return {
    place: (setpoint, caller) =>
      commits.save((to) => {
        refuseWhenClosed()
        const { datapointId, value, from, to: end } = setpoint
        const request = `override ${JSON.stringify([datapointId, value, from, end])}`
        return once(to, caller, request, () => JSON.stringify({ id: take(to, setpoint, caller) }))
      }),

    cancel: (id, caller) =>
      commits.record((to) => {
        refuseWhenClosed()
        return once(to, caller, `cancel ${id}`, () => {
          const window = byId.get(id)
          if (!window && !ids.issued(id)) {
            throw rejected(`this device never issued the override id ${shown(id)}; check it`)
          }
          if (window) drop(to, window)
          return '{"success":true}'
        })
      }),

    async start(ready) {
      await commits.record(() => {
        for (const window of windows.load()) add(window)
      })
      if (timekeeper.known()) {
        await commits.record(resume)
        ready()
      } else {
        timeWait = waitForTime({
          known: timekeeper.known,
          clock,
          onKnown: () => void commits.record(resume).then(ready),
          onTooLong() {
            log.warn('the clock is behind the latest recorded time: equipment is restored until the time is known')
            void commits.record(suspend).then(ready)
          },
        })
      }
      rememberTimeLater()
    },

    heardCloudTime(time) {
      timekeeper.heardCloudTime(time)
      timeWait?.look()
    },
    holds: (datapointId) => held.get(datapointId) !== undefined,
    figures: () => ({ windowsHeld: byId.kept.size, clockSuspect: timekeeper.suspect() }),
    view: () => ({ held: held.kept, now: timekeeper.now(), clockSuspect: timekeeper.suspect() }),
    close() {
      closed = true
      stopRemembering()
      timeWait?.close()
      for (const cancel of timers.values()) cancel()
    },
  }
}

/** Why an override is over that does not hold its datapoint: it was outranked, or its whole time was missed. */
function closingReason(window: Window, before: Held, because: 'cancelled' | 'restart' | undefined): ReportReason {
  if (because === 'restart') return 'restart'
  return before.ruling && before.ruling.seq > window.seq ? 'superseded' : 'ended'
}

function claimOf({ id, reqId, value, to }: Window): Claim {
  return { by: 'demand-response', want: { value }, overrideId: id, reqId, until: to }
}

const rejected = (message: string) => new Failure('rejected', message)
