import { type Clock, every } from '@plantroom/base/clock'
import { CLOCK_WRONG_MS } from '@plantroom/contract/alerts'
import { type DeviceHealth, type HealthTrouble, MAX_HEALTH_ITEMS } from '@plantroom/contract/health'
import { topics } from '@plantroom/contract/topics'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import { VERSION } from '@plantroom/contract/version'

/** A change is reported within this time. Things that change back and forth faster are reported once. */
export const LOOK_MS = 5_000
export const REPEAT_MS = 5 * 60_000
const DROPPED_MS = 15 * 60_000
const LOW_BYTES = 64 * 1024 * 1024
const LONGEST_TEXT = 255

/** What the device knows already, read when it is needed. */
interface HealthDeps {
  connections(): readonly { id: string; name: string; status: ConnectionStatus }[]
  /** Datapoints whose equipment does not do what it should. */
  troubles(): Iterable<{ id: string; name: string; isReleased: boolean; reason: string }>
  freeBytes(): number
  /** Why the journal cannot be kept on the disk. */
  journalTrouble(): string | undefined
  /** Measurements dropped since the start. */
  dropped(): number
  uplink: { readonly connected: boolean; publish(topic: string, payload: string, qos: 0 | 1): void }
  deviceId: string
  clock: Clock
}

/** Reports to the cloud what is wrong: after a change, when the link comes up, and every 5 minutes. */
export interface Health {
  /** The link is up: the cloud may have missed changes. */
  connected(): void
  heardCloudTime(time: number): void
  close(): void
}

interface State extends HealthDeps {
  /** Since when each trouble lasts, by the monotonic clock. */
  since: Map<string, number>
  /** The cloud's time minus the monotonic clock. */
  cloudOffset: number | undefined
  /** How many measurements were dropped by when, oldest first. */
  drops: { at: number; total: number }[]
  /** What was reported last, and when. */
  reported: string | undefined
  reportedAt: number
}

export function startHealth(deps: HealthDeps): Health {
  const state: State = {
    ...deps,
    since: new Map(),
    cloudOffset: undefined,
    drops: [],
    reported: undefined,
    reportedAt: 0,
  }
  const stop = every(deps.clock, LOOK_MS, () => report(state))
  return {
    connected() {
      state.reported = undefined
      report(state)
    },
    heardCloudTime(time) {
      if (Number.isFinite(time)) state.cloudOffset = time - deps.clock.monotonic()
    },
    close: stop,
  }
}

function report(state: State): void {
  const { uplink, clock, deviceId } = state
  // Also without a link, so that the durations are right when it is back.
  const health = lookAt(state)
  if (!uplink.connected) return
  const shape = shapeOf(health)
  if (shape === state.reported && clock.monotonic() - state.reportedAt < REPEAT_MS) return
  state.reported = shape
  state.reportedAt = clock.monotonic()
  uplink.publish(topics.health(deviceId), JSON.stringify(health), 0)
}

function lookAt(state: State): DeviceHealth {
  const { clock, cloudOffset } = state
  const down = state.connections().filter(({ status }) => status !== CONNECTION_STATUS.connected)
  const troubles = [...state.troubles()]
  const lasting = new Map<string, number>()
  const lasts = (kind: string, { id, name, reason = null }: { id: string; name: string; reason?: string | null }) => {
    const key = `${kind} ${id}`
    const began = state.since.get(key) ?? clock.monotonic()
    lasting.set(key, began)
    const seconds = Math.floor((clock.monotonic() - began) / 1000)
    return { id, name: cut(name), seconds, reason: reason === null ? null : cut(reason) } satisfies HealthTrouble
  }
  const flag = (kind: string, isSo: boolean) => (isSo ? lasts(kind, { id: '', name: '' }).seconds : null)
  const clockOffsetMs = cloudOffset === undefined ? null : Math.round(clock.now() - (clock.monotonic() + cloudOffset))
  const freeBytes = state.freeBytes()
  const droppedMeasurements = droppedLately(state)
  const journalTrouble = state.journalTrouble()
  const health = {
    version: VERSION,
    connections: down.map((one) => lasts('connection', one)).slice(0, MAX_HEALTH_ITEMS),
    notTaken: troubles.flatMap((one) => (one.isReleased ? [] : [lasts('set', one)])).slice(0, MAX_HEALTH_ITEMS),
    notRestored: troubles.flatMap((one) => (one.isReleased ? [lasts('restore', one)] : [])).slice(0, MAX_HEALTH_ITEMS),
    clockOffsetMs,
    clockWrongSeconds: flag('clock', Math.abs(clockOffsetMs ?? 0) > CLOCK_WRONG_MS),
    freeBytes,
    diskLowSeconds: flag('disk', freeBytes < LOW_BYTES),
    droppedMeasurements,
    droppedSeconds: flag('dropped', droppedMeasurements > 0),
    journalTrouble: journalTrouble === undefined ? null : cut(journalTrouble),
    journalTroubleSeconds: flag('journal', journalTrouble !== undefined),
  }
  state.since = lasting
  return health
}

function droppedLately({ clock, drops, dropped }: State): number {
  const now = clock.monotonic()
  const total = dropped()
  if (drops.at(-1)?.total !== total) drops.push({ at: now, total })
  // The last one from before the period is what the others are compared with.
  while (drops[1] && drops[1].at <= now - DROPPED_MS) drops.shift()
  const [first] = drops
  return first ? total - first.total : 0
}

/** What makes two reports different: durations and free space change all the time. */
function shapeOf(health: DeviceHealth): string {
  const { connections, notTaken, notRestored, clockWrongSeconds, diskLowSeconds, droppedSeconds } = health
  const ids = (list: readonly HealthTrouble[]) => list.map(({ id, reason }) => [id, reason])
  const flags = [clockWrongSeconds, diskLowSeconds, droppedSeconds].map((seconds) => seconds !== null)
  return JSON.stringify([ids(connections), ids(notTaken), ids(notRestored), flags, health.journalTrouble])
}

/** Whole characters, and none that the cloud cannot store. */
const cut = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, LONGEST_TEXT).toWellFormed()
