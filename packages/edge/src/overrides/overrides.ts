import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { ReportReason } from '@plantroom/contract/reports'
import type { Connections } from '../connections/connections.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { FactStore } from '../store/fact-store.ts'
import type { StoredWindow, WindowStore } from '../store/window-store.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { Claim } from '../writing/claims.ts'
import type { Failsafes } from '../writing/failsafes.ts'
import { checkWindow } from './accept.ts'
import { hearCloud, judge, judgeAtBoot, observe, trustAtBoot } from './clock-trust.ts'
import type { Caller, Once } from './once.ts'
import type { OverrideIds } from './override-id.ts'
import { type Held, isEmpty, type Moment, NOTHING_HELD, nextWake, place, step, type Window, withdraw } from './step.ts'

/** A timer never runs longer than this, so that a stepped clock is noticed. */
const LONGEST_WAIT_MS = 30_000
const LATEST_TIME = 'latest-time'
/** For so long two clocks that were compared go on together. It is asked for again much sooner. */
const CLOUD_TIME_KEEPS_MS = 60 * 60_000
const LONGEST_SHOWN = 100

/** What a caller asks for. */
export interface Setpoint {
  datapointId: string
  value: number
  from: number
  to: number
}

/** The demand response windows of the device: taken, held through restarts, ended on time. */
export interface Overrides {
  /** Resolves with the reply when the window is on disk and in force or queued. Rejects with a `Failure`: then there is nothing. */
  place(setpoint: Setpoint, caller: Caller): Promise<string>
  /** Ends a window now. One that ended before stays ended; an id that this device never gave is rejected. */
  cancel(id: string, caller: Caller): Promise<string>
  /** Takes up what the journal holds. What ended while the device was down is handed back. */
  start(): Promise<void>
  heardCloudTime(time: number): void
  /** Is a window held on this datapoint, now or later? */
  holds(datapointId: string): boolean
  figures(): { windowsHeld: number; clockSuspect: boolean }
  /** What is held on each datapoint, and the time by which it is judged. Only to be looked at. */
  view(): { held: ReadonlyMap<string, Held>; now: Moment; clockSuspect: boolean }
  close(): void
}

export function createOverrides(deps: {
  windows: WindowStore
  facts: FactStore
  commits: Commits
  once: Once
  ids: OverrideIds
  arbiter: Arbiter
  connections: Connections
  failsafes: Pick<Failsafes, 'guards'>
  clock: Clock
  log: Log
}): Overrides {
  const { windows, facts, commits, once, ids, arbiter, connections, failsafes, clock, log } = deps
  const held = commits.stagedMap<string, Held>()
  const byId = commits.stagedMap<string, StoredWindow>()
  const counts = commits.stagedMap<'windows' | 'seq', number>()
  const timers = new Map<string, () => void>()
  let closed = false
  let trust = trustAtBoot(moment(), facts.number(LATEST_TIME))
  let heard: { cloudTime: number; at: number } | undefined

  function moment(): Moment {
    return { wall: clock.now(), monotonic: clock.monotonic() }
  }

  function now(): Moment {
    const seen = moment()
    trust = observe(trust, seen)
    // Known from moment to moment, so that a clock that is stepped is not believed for as long as it takes to ask again.
    const since = heard && seen.monotonic - heard.at
    if (heard && since !== undefined && since <= CLOUD_TIME_KEEPS_MS) {
      trust = hearCloud(trust, seen, heard.cloudTime + since)
    }
    return judge(trust, seen)
  }

  function add(window: StoredWindow): void {
    held.set(window.datapointId, place(held.get(window.datapointId) ?? NOTHING_HELD, window))
    byId.set(window.id, window)
    counts.set('windows', (counts.get('windows') ?? 0) + 1)
    counts.set('seq', window.seq)
  }

  function begin(to: Change, { id, seq }: Window): void {
    const window = byId.get(id)
    if (!window || window.begun) return
    byId.set(id, { ...window, begun: true })
    windows.begin(to, seq)
  }

  function remove(to: Change, window: Window): void {
    windows.remove(to, window.seq)
    byId.set(window.id, undefined)
    counts.set('windows', (counts.get('windows') ?? 0) - 1)
  }

  /** Looks at the time for one datapoint, and says who rules there now. `because`: why the one before does not. */
  function look(to: Change, datapointId: string, time: Moment, because?: ReportReason): void {
    const before = held.get(datapointId) ?? NOTHING_HELD
    const { held: after, effects } = step(before, time)
    held.set(datapointId, isEmpty(after) ? undefined : after)
    let ended = false
    let changed = because === 'restart'
    for (const { kind, window } of effects) {
      if (kind === 'discard') remove(to, window)
      else changed = true
      if (kind === 'apply') begin(to, window)
      ended ||= kind === 'discard' && window.id === before.ruling?.id
    }
    if (changed) {
      const reason = because ?? (ended ? 'ended' : 'superseded')
      arbiter.decide(to, datapointId, 'demand-response', after.ruling && claimOf(after.ruling), reason)
    }
    to.after(() => wakeLater(datapointId))
  }

  function wakeLater(datapointId: string): void {
    timers.get(datapointId)?.()
    timers.delete(datapointId)
    const waiting = held.get(datapointId)
    const wait = waiting && nextWake(waiting, now())
    if (wait === undefined || closed) return
    const wake = () => void commits.record((to) => closed || look(to, datapointId, now()))
    timers.set(datapointId, clock.after(Math.min(wait, LONGEST_WAIT_MS), wake))
  }

  function rememberTime(to: Change): void {
    now()
    facts.put(to, LATEST_TIME, trust.mark)
  }

  let stopRemembering = () => {}
  function rememberTimeLater(): void {
    stopRemembering = clock.after(LONGEST_WAIT_MS, () => {
      void commits.record(rememberTime)
      rememberTimeLater()
    })
  }

  // Datapoints are going: what is asked for from now on cannot be carried out, and is better not begun.
  function refuseWhenClosed(): void {
    if (closed) throw rejected('the controller is being stopped, so nothing was done; send the command again')
  }

  function take(to: Change, { datapointId, value, from, to: end }: Setpoint, { reqId, keyId }: Caller): string {
    const found = connections.find(datapointId)
    if (!found) throw rejected(`datapoint ${shown(datapointId)} is not loaded on this device`)
    const { datapoint, connection } = found
    if (datapoint.accessType === 'READ') throw rejected(`datapoint ${datapoint.name} is READ: it cannot be written`)
    if (failsafes.guards(datapointId)) {
      throw rejected(`datapoint ${datapoint.name} is the failsafe register of another datapoint`)
    }
    const time = now()
    checkWindow({
      from,
      to: end,
      now: time.wall,
      clockSuspect: trust.suspect,
      windowsHeld: counts.get('windows') ?? 0,
    })
    connection.toRaw(datapointId, value)
    // A power cut must not take the device back to before this window was accepted.
    rememberTime(to)

    const id = ids.issue()
    const seq = (counts.get('seq') ?? 0) + 1
    const begun = from <= time.wall
    const window = { id, seq, datapointId, value, from, to: end, reqId, placedBy: keyId, begun }
    add(window)
    windows.add(to, window)
    look(to, datapointId, time)
    return id
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
          if (!window && !ids.issued(id))
            throw rejected(`this device never gave the override id ${shown(id)}; check it`)
          if (window) {
            const { datapointId } = window
            const before = held.get(datapointId) ?? NOTHING_HELD
            const after = withdraw(before, window)
            held.set(datapointId, after)
            remove(to, window)
            if (after.queued !== before.queued && !window.begun) arbiter.calledOff(to, datapointId, claimOf(window))
            look(to, datapointId, now(), before.ruling?.id === id ? 'cancelled' : undefined)
          }
          return '{"success":true}'
        })
      }),

    async start() {
      const time = judgeAtBoot(trust, moment())
      await commits.record((to) => {
        const touched = new Set<string>(arbiter.held())
        for (const window of windows.load()) {
          add(window)
          touched.add(window.datapointId)
        }
        for (const datapointId of touched) {
          if (!connections.find(datapointId))
            log.error({ datapointId }, 'a window on a datapoint that is not commissioned')
          look(to, datapointId, time, 'restart')
        }
        rememberTime(to)
      })
      rememberTimeLater()
    },

    heardCloudTime(time) {
      heard = { cloudTime: time, at: clock.monotonic() }
      now()
    },
    holds: (datapointId) => held.get(datapointId) !== undefined,
    figures: () => ({ windowsHeld: byId.kept.size, clockSuspect: trust.suspect }),
    view: () => ({ held: held.kept, now: judge(trust, moment()), clockSuspect: trust.suspect }),
    close() {
      closed = true
      stopRemembering()
      for (const cancel of timers.values()) cancel()
    },
  }
}

function claimOf({ id, reqId, value }: Window): Claim {
  return { by: 'demand-response', want: { value }, overrideId: id, reqId }
}

const rejected = (message: string) => new Failure('rejected', message)

/** What somebody sent, fit for a message: one line, not longer than a line. */
function shown(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  return escaped.length > LONGEST_SHOWN ? `${escaped.slice(0, LONGEST_SHOWN)}…` : escaped
}
