import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { DEFAULT_ALERT_RULES } from '@plantroom/contract/alerts'
import type { Db } from '../../platform/db/database.ts'
import { notifyByMail } from './alert-mail.ts'
import { createAlertStore } from './alert-store.ts'
import { conditionsOf, type ExportTrouble, type KnownDevice } from './conditions.ts'
import { decide, type OpenAlert } from './decide.ts'
import { createFactStore, type SeenDevice } from './fact-store.ts'

export const TICK_MS = 10_000
/** After the connection to the broker is up, every device has this long to come back before anything is decided. */
export const SETTLE_MS = 90_000
/** How long other processes wait for one that decides and has died. */
const LEASE_MS = 3 * TICK_MS
/** When devices sent measurements is stored every 2 minutes. */
const MEASURED_MS = 60_000
/** Which devices archive something changes when they are commissioned. */
const ARCHIVING_MS = 600_000
/** Reads the newest run of every site. */
const EXPORTS_MS = 30_000
const SWEEP_MS = 3_600_000
/** A controller that got its memory back before anybody decided still had lost it. */
const LOST_MS = 600_000
/** An alert about a commissioning file that was undone closes after this, or when somebody loads another one. */
const WENT_BACK_MS = 24 * 60 * 60_000
/** A limit that is not over has its next interval by then: two quarters of an hour, and some time for its way. */
const MISSED_MS = 40 * 60_000
const KEPT_MS = 366 * 86_400_000

export interface EvaluatorDeps {
  db: Db
  /** Identifies this process. */
  cloudId: string
  devices: { all(): Iterable<KnownDevice>; get(id: string): KnownDevice | undefined }
  presence: { isOnline(deviceId: string): boolean; wasHeard(deviceId: string): boolean }
  bus: { readonly connected: boolean }
  exports: {
    findTroubles(db: Db, now: number): Promise<ExportTrouble[]>
    /** Returns the sites whose automatic export has worked since then, or is off. */
    findRecovered(db: Db, troubles: readonly { siteId: string; since: number }[]): Promise<ReadonlySet<string>>
  }
  sendsMail: boolean
  mailsPerHour: number
  baseUrl(): string
  clock: Clock
  log: Log
}

interface State extends EvaluatorDeps {
  /** Since when this process is connected to the broker, by the monotonic and by the wall clock. */
  connected: { monotonic: number; wall: number } | undefined
  /** What is stored about each device, while this process decides. */
  seen: Map<string, SeenDevice> | undefined
  archiving: Cached<ReadonlySet<string>> | undefined
  measured: Cached<ReadonlyMap<string, number>> | undefined
  exportFacts: Cached<ExportFacts> | undefined
  sweptAt: number | undefined
  isRunning: boolean
}

/** How automatic exports go. */
interface ExportFacts {
  troubles: readonly ExportTrouble[]
  recovered: ReadonlySet<string>
}

/** What changes slowly and is large. */
interface Cached<Value> {
  at: number
  value: Value
}

/** Decides about alerts, in one process at a time. Every process runs it. */
export function startEvaluator(deps: EvaluatorDeps): { tick(): Promise<void>; close(): Promise<void> } {
  const state: State = {
    ...deps,
    connected: undefined,
    seen: undefined,
    archiving: undefined,
    measured: undefined,
    exportFacts: undefined,
    sweptAt: undefined,
    isRunning: false,
  }
  let last = Promise.resolve()
  function tick(): Promise<void> {
    // A slow database must not let ticks queue up.
    if (state.isRunning) return last
    state.isRunning = true
    last = evaluate(state)
      .catch((error: Error) => {
        state.seen = undefined
        deps.log.warn({ error: error.message }, 'could not decide about alerts; retrying')
      })
      .finally(() => {
        state.isRunning = false
      })
    return last
  }
  const stop = every(deps.clock, TICK_MS, () => void tick())
  return {
    tick,
    close() {
      stop()
      return last
    },
  }
}

async function evaluate(state: State): Promise<void> {
  if (!isSettled(state)) {
    state.seen = undefined
    return
  }
  const { db, cloudId, clock } = state
  const now = clock.now()
  const changes = await db.transaction().execute(async (tx) => {
    const facts = createFactStore(tx)
    const lead = await facts.lead(cloudId, { now: new Date(now), until: new Date(now + LEASE_MS) })
    if (!lead) return undefined
    if (lead.isNew || !state.seen) state.seen = await facts.seen()
    const changes = changedPresence(state, state.seen, lead.checkedAt ?? now)
    await facts.saveSeen(changes)
    await applyDecisions(state, tx, new Map([...state.seen, ...changes]))
    await sweep(state, tx)
    return changes
  })
  // Only what is committed is known.
  if (!changes) state.seen = undefined
  for (const [id, one] of changes ?? []) state.seen?.set(id, one)
}

/** Says once when the broker is gone: that is one trouble, not one for each device. */
function isSettled(state: State): boolean {
  const { bus, clock, log } = state
  if (!bus.connected) {
    if (state.connected) log.warn('the connection to the broker is lost: no alert opens or closes until it is back')
    state.connected = undefined
    return false
  }
  state.connected ??= { monotonic: clock.monotonic(), wall: clock.now() }
  return clock.monotonic() - state.connected.monotonic >= SETTLE_MS
}

/** Returns the devices that came or went since `checkedAt`, when they were last looked at. */
function changedPresence(
  { devices, presence, clock }: State,
  seen: ReadonlyMap<string, SeenDevice>,
  checkedAt: number,
): Map<string, SeenDevice> {
  const changes = new Map<string, SeenDevice>()
  for (const { id } of devices.all()) {
    const online = presence.isOnline(id)
    const before = seen.get(id)
    if (online && !before?.online) changes.set(id, { online, since: clock.now() })
    // It came and died while nothing was decided, say soon after this process started.
    if (!online && !before && presence.wasHeard(id)) changes.set(id, { online, since: clock.now() })
    if (!online && before?.online) changes.set(id, { online, since: Math.min(checkedAt, clock.now()) })
  }
  return changes
}

async function applyDecisions(state: State, tx: Db, seen: ReadonlyMap<string, SeenDevice>): Promise<void> {
  const { devices, presence, clock, mailsPerHour, sendsMail } = state
  const now = clock.now()
  const [facts, alerts] = [createFactStore(tx), createAlertStore(tx)]
  const rules = await alerts.changedRules()
  state.archiving = await refreshed(state, state.archiving, ARCHIVING_MS, facts.archiving)
  state.measured = await refreshed(state, state.measured, MEASURED_MS, facts.measured)
  const open = await alerts.allOpen()
  state.exportFacts = await refreshed(state, state.exportFacts, EXPORTS_MS, () => readExports(state, tx, open))
  const { troubles, recovered } = state.exportFacts.value
  const conditions = conditionsOf({
    now,
    watchingSince: state.connected?.wall ?? now,
    devices: devices.all(),
    seen,
    troubled: await facts.troubled(),
    archiving: state.archiving.value,
    measured: state.measured.value,
    lostMemory: await facts.lostMemory(new Date(now - LOST_MS)),
    wentBack: await facts.wentBack(new Date(now - WENT_BACK_MS)),
    missedLimits: await facts.missedLimits(new Date(now - MISSED_MS)),
    exports: troubles,
    openadr: await facts.openadrTroubles(new Date(now)),
  })
  const decisions = decide({
    now,
    conditions,
    open,
    recovered,
    rulesOf: (organizationId) => rules.get(organizationId) ?? DEFAULT_ALERT_RULES,
    isOnline: (deviceId) => (devices.get(deviceId) ? presence.isOnline(deviceId) : undefined),
  })
  await alerts.open(decisions.open, new Date(now))
  await alerts.setClear(decisions.clear, new Date(now))
  await alerts.setClear(decisions.back, null)
  await alerts.close(decisions.close)
  await alerts.describeExports([...conditions.values()].filter(({ kind }) => kind === 'export-failed'))
  await notifyByMail(tx, { now: new Date(now), mailsPerHour, sendsMail, baseUrl: state.baseUrl() })
}

async function readExports({ exports, clock }: State, tx: Db, open: readonly OpenAlert[]): Promise<ExportFacts> {
  const known = open.filter(({ kind }) => kind === 'export-failed')
  const since = known.map(({ subject, beganAt }) => ({ siteId: subject.id, since: beganAt }))
  return { troubles: await exports.findTroubles(tx, clock.now()), recovered: await exports.findRecovered(tx, since) }
}

async function refreshed<Value>(
  { clock }: State,
  cached: Cached<Value> | undefined,
  keptMs: number,
  read: () => Promise<Value>,
): Promise<Cached<Value>> {
  const at = clock.monotonic()
  return cached && at - cached.at < keptMs ? cached : { at, value: await read() }
}

async function sweep(state: State, tx: Db): Promise<void> {
  const { clock } = state
  if (state.sweptAt !== undefined && clock.monotonic() - state.sweptAt < SWEEP_MS) return
  state.sweptAt = clock.monotonic()
  await createAlertStore(tx).removeClosedBefore(new Date(clock.now() - KEPT_MS))
}
