import { type Clock, every, sleep, within } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { DeviceBus } from '../../platform/broker/index.ts'
import { createPings, type Pings } from './pings.ts'
import type { Presence, StatusOutcome } from './presence.ts'

/** Statuses that are asked for at a time: fewer than any broker queues for a connection. */
const PAGE = 250
const PAGE_MS = 5_000
/** Between two passes over all devices, and to collect devices in doubt. */
const PAUSE_MS = 500
/** Statuses of so many devices in a second may be more than a broker queues. */
const BURST = 100
const BURST_MS = 1_000
/** Devices repeat their status within a second of the hello. */
const FIRST_PING_MS = 1_500
const FIRST_ANSWER_MS = 1_500
/** After a connect, a device that was not heard may still be about to announce itself. */
const SETTLE_MS = 2_500
const LONGEST_SETTLE_MS = 10_000
/** With 10,000 devices: 42 statuses and at most 42 pings a second. */
const SWEEP_MS = 5_000
const SWEEPS_PER_CYCLE = 48
const SWEEP_ANSWER_MS = 5_000
const QUIET_MS = 60_000

/** Keeps presence true although brokers drop messages, keep the status of devices that died, and lose last wills. */
export interface PresenceCheck {
  /** Every device has been looked at since the connection is up, or that took too long. */
  readonly isComplete: boolean
  /** Resolves once this device is online or its absence is certain; `undefined` when that is known already. */
  whenKnown(deviceId: string): Promise<void> | undefined
  found(): void
  lost(): void
  status(deviceId: string, outcome: StatusOutcome, isRetained: boolean): void
  /** The device answered a ping. */
  answered(deviceId: string): void
  /** The device sent something just now. */
  heard(deviceId: string): void
  /** This device is new, or should be looked at for another reason. */
  doubt(deviceId: string): void
  close(): void
}

interface CheckDeps {
  bus: Pick<DeviceBus, 'askStatus' | 'send'>
  presence: Presence
  deviceIds(): Iterable<string>
  cloudId: string
  clock: Clock
  log: Log
}

/** From the connection to the broker to its loss. */
interface Session {
  end: AbortController
  isComplete: boolean
  firstRead: PromiseWithResolvers<void>
  /** The devices that were only known by a retained status have been asked. */
  hasPinged: boolean
  isSettled: boolean
  /** Devices whose status arrived. The first pass asks only for the others. */
  seen: Set<string>
  isReading: boolean
  isReadWanted: boolean
  /** Statuses that only a question brought to light. */
  missed: number
  burst: { since: number; devices: Set<string>; isScheduled: boolean }
  doubted: Set<string>
  swept: number
}

const NOTHING_TO_CHECK: PresenceCheck = {
  isComplete: true,
  whenKnown: () => undefined,
  ...{ found() {}, lost() {}, status() {}, heard() {}, answered() {}, doubt() {}, close() {} },
}

export function createPresenceCheck(deps: CheckDeps): PresenceCheck {
  if (!deps.bus.askStatus) return NOTHING_TO_CHECK
  const { clock, presence } = deps
  const pings = createPings(deps, askPage)
  const waiting = new Map<string, Set<() => void>>()
  let session: Session | undefined

  async function askPage(deviceIds: readonly string[]): Promise<void> {
    await within(clock, PAGE_MS, deps.bus.askStatus?.(deviceIds) ?? Promise.resolve()).catch(() => {})
  }

  function wake(deviceId: string): void {
    for (const resolve of waiting.get(deviceId) ?? []) resolve()
    waiting.delete(deviceId)
  }

  function settle(of: Session): void {
    if (of.isSettled) return
    of.isSettled = true
    for (const deviceId of [...waiting.keys()]) wake(deviceId)
  }

  function start(): void {
    const next = createSession(clock)
    session = next
    const { signal } = next.end
    const foundAt = clock.monotonic()
    void readAll(deps, next, askPage)
    void Promise.all([sleep(clock, SETTLE_MS, signal), next.firstRead.promise]).then(() => settle(next))
    void sleep(clock, LONGEST_SETTLE_MS, signal).then(() => complete(next))
    // A broker that was restarted may have kept the status of devices that died meanwhile.
    void sleep(clock, FIRST_PING_MS, signal).then(() => {
      next.hasPinged = true
      const unheard = [...deps.deviceIds()].filter((id) => presence.isOnline(id) && !pings.heardSince(id, foundAt))
      return pings.verify(unheard, FIRST_ANSWER_MS, signal)
    })
    const stop = every(clock, SWEEP_MS, () => void sweep(deps, next, pings, askPage))
    signal.addEventListener('abort', stop)
  }

  function stop(): void {
    session?.end.abort()
    if (session) settle(session)
    session = undefined
  }

  function doubt(deviceId: string): void {
    if (!session) return
    if (session.doubted.size === 0) void askDoubted(session, pings, askPage, clock)
    session.doubted.add(deviceId)
  }

  return {
    get isComplete() {
      return session?.isComplete ?? false
    },
    whenKnown(deviceId) {
      if (!session || session.isSettled || presence.isOnline(deviceId)) return undefined
      return new Promise((resolve) => {
        const resolves = waiting.get(deviceId) ?? new Set()
        waiting.set(deviceId, resolves.add(resolve))
      })
    },
    found() {
      stop()
      start()
    },
    lost: stop,
    status(deviceId, outcome, isRetained) {
      if (!session) return
      if (!session.isComplete) session.seen.add(deviceId)
      if (presence.isOnline(deviceId)) wake(deviceId)
      if (outcome === 'in doubt') doubt(deviceId)
      if (!isRetained) countBurst(deps, session, deviceId, askPage)
      else if (outcome === 'changed') {
        session.missed += 1
        session.isReadWanted = true
        void readAll(deps, session, askPage)
        // What nobody said since the connection is up may be the status of a device that died.
        if (session.hasPinged && presence.isOnline(deviceId)) doubt(deviceId)
      }
    },
    answered: wake,
    heard: pings.heard,
    doubt,
    close: stop,
  }
}

function createSession(clock: Clock): Session {
  return {
    end: new AbortController(),
    firstRead: Promise.withResolvers(),
    ...{ isComplete: false, hasPinged: false, isSettled: false, isReading: false, isReadWanted: false },
    ...{ missed: 0, swept: 0 },
    burst: { since: clock.monotonic(), devices: new Set(), isScheduled: false },
    ...{ doubted: new Set(), seen: new Set() },
  }
}

function complete(session: Session): void {
  session.isComplete = true
  session.seen.clear()
  session.firstRead.resolve()
}

type AskPage = (deviceIds: readonly string[]) => Promise<void>

/** Reads the status of all devices page by page, and again until that brings nothing new. */
async function readAll({ deviceIds, clock, log }: CheckDeps, session: Session, askPage: AskPage): Promise<void> {
  if (session.isReading) return
  session.isReading = true
  const { signal } = session.end
  do {
    session.isReadWanted = false
    session.missed = 0
    for (const page of pagesOf(session, [...deviceIds()])) {
      await askPage(page)
      if (signal.aborted) break
    }
    if (session.isSettled && session.missed > 0) {
      log.warn(
        { count: session.missed },
        'the broker dropped status messages; raise its queue limit for our connection',
      )
    }
    complete(session)
    await sleep(clock, PAUSE_MS, signal)
  } while (session.isReadWanted && !signal.aborted)
  session.isReading = false
}

/** Skips what arrived while the pages before were read. */
function* pagesOf({ seen, isComplete }: Session, deviceIds: readonly string[]): Generator<string[]> {
  let page: string[] = []
  for (const deviceId of deviceIds) {
    if (!isComplete && seen.has(deviceId)) continue
    page.push(deviceId)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function countBurst(deps: CheckDeps, session: Session, deviceId: string, askPage: AskPage): void {
  const { burst } = session
  const now = deps.clock.monotonic()
  if (now - burst.since > BURST_MS) {
    burst.since = now
    burst.devices.clear()
  }
  burst.devices.add(deviceId)
  if (burst.devices.size < BURST || burst.isScheduled) return
  burst.isScheduled = true
  void sleep(deps.clock, BURST_MS, session.end.signal).then(() => {
    burst.isScheduled = false
    if (session.end.signal.aborted) return
    session.isReadWanted = true
    return readAll(deps, session, askPage)
  })
}

async function askDoubted(session: Session, pings: Pings, askPage: AskPage, clock: Clock): Promise<void> {
  await sleep(clock, PAUSE_MS, session.end.signal)
  const deviceIds = [...session.doubted]
  session.doubted.clear()
  if (session.end.signal.aborted) return
  for (let from = 0; from < deviceIds.length; from += PAGE) await askPage(deviceIds.slice(from, from + PAGE))
  await pings.verify(deviceIds, FIRST_ANSWER_MS, session.end.signal)
}

/** Looks at some devices, in turn, so that nothing false lasts. */
async function sweep({ deviceIds, clock }: CheckDeps, session: Session, pings: Pings, askPage: AskPage): Promise<void> {
  if (session.isReading) return
  const ids = [...deviceIds()]
  if (session.swept >= ids.length) session.swept = 0
  const page = ids.slice(session.swept, session.swept + Math.min(PAGE, Math.ceil(ids.length / SWEEPS_PER_CYCLE)))
  session.swept += page.length
  if (page.length === 0) return
  await askPage(page)
  const quiet = page.filter((id) => !pings.heardSince(id, clock.monotonic() - QUIET_MS))
  await pings.verify(quiet, SWEEP_ANSWER_MS, session.end.signal)
}
