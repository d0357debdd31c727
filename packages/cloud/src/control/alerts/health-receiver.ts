import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { CLOCK_WRONG_MS } from '@plantroom/contract/alerts'
import { type DeviceHealth, type HealthTrouble, MAX_HEALTH_ITEMS } from '@plantroom/contract/health'
import { isStorable } from '../../platform/db/storable-text.ts'
import type { FactStore } from './fact-store.ts'

/** Far more than the longest list of the longest texts that our controllers send. */
const MAX_BYTES = 512 * 1024
/** Waiting to be stored. A message beyond it is ignored: the controller repeats it. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
const MAX_SECONDS = 10 * 366 * 86_400
const MAX_VERSION = 50
const FLUSH_MS = 1_000
const MEASURED_FLUSH_MS = 120_000

interface HealthReceiverDeps {
  store: Pick<FactStore, 'saveHealth' | 'saveMeasured'>
  findDevice(deviceId: string): object | undefined
  clock: Clock
  log: Log
}

export interface HealthReceiver {
  /** Takes a health message. The device is authenticated; the payload is not validated. */
  receive(deviceId: string, payload: Buffer): void
  /** The device has sent measurements. */
  measured(deviceId: string): void
  /** Stores what is left. */
  close(): Promise<void>
}

/** Stores the last health of each device, and when each last sent measurements: many devices in one statement. */
export function createHealthReceiver(deps: HealthReceiverDeps): HealthReceiver {
  const { store, findDevice, clock, log } = deps
  let health = new Map<string, { at: number; document: DeviceHealth }>()
  let waitingBytes = 0
  let measured = new Map<string, number>()
  let last = Promise.resolve()

  function flush(what: string, save: () => Promise<void>): void {
    last = last.then(save).catch((error: Error) => log.warn({ error: error.message }, `could not store ${what}`))
  }
  function flushHealth(): void {
    if (health.size === 0) return
    const taken = health
    health = new Map()
    waitingBytes = 0
    flush('the health of devices', () =>
      store.saveHealth(
        [...taken].map(([deviceId, one]) => ({ deviceId, ...one, hasTrouble: hasTrouble(one.document) })),
      ),
    )
  }
  function flushMeasured(): void {
    if (measured.size === 0) return
    const taken = measured
    measured = new Map()
    flush('when devices sent measurements', () => store.saveMeasured(taken))
  }
  const stop = [every(clock, FLUSH_MS, flushHealth), every(clock, MEASURED_FLUSH_MS, flushMeasured)]

  return {
    receive(deviceId, payload) {
      if (payload.length > MAX_BYTES || waitingBytes > MAX_WAITING_BYTES || !findDevice(deviceId)) return
      const document = readHealth(payload)
      if (document) {
        waitingBytes += payload.length
        health.set(deviceId, { at: clock.now(), document })
      } else log.debug({ device: deviceId }, 'ignored a health message that is not one')
    },
    measured: (deviceId) => void measured.set(deviceId, clock.now()),
    close() {
      for (const one of stop) one()
      flushHealth()
      flushMeasured()
      return last
    },
  }
}

/** Returns the health that a message says; `undefined` when it is not valid. Takes over what the contract declares only. */
export function readHealth(payload: Buffer): DeviceHealth | undefined {
  let given: Partial<Record<keyof DeviceHealth, unknown>>
  try {
    given = JSON.parse(payload.toString()) as typeof given
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null) return undefined
  const lists = [given.connections, given.notTaken, given.notRestored].map(readTroubles)
  const [connections, notTaken, notRestored] = lists
  const { clockOffsetMs = null, clockWrongSeconds = null, freeBytes = null, diskLowSeconds = null } = given
  const { droppedMeasurements = 0, droppedSeconds = null } = given
  if (!connections || !notTaken || !notRestored) return undefined
  if (!isNull(clockOffsetMs) && !(isNumber(clockOffsetMs) && Math.abs(clockOffsetMs) <= 1e14)) return undefined
  if (!isNull(freeBytes) && !isCount(freeBytes)) return undefined
  if (!isSecondsOrNull(clockWrongSeconds) || !isSecondsOrNull(diskLowSeconds)) return undefined
  if (!isSecondsOrNull(droppedSeconds) || !isCount(droppedMeasurements)) return undefined
  const journal = readJournalTrouble(given)
  if (!journal) return undefined
  const clock = { clockOffsetMs, clockWrongSeconds }
  const disk = { freeBytes, diskLowSeconds, droppedMeasurements, droppedSeconds }
  // A controller of an earlier version does not say it.
  const version = isStorable(given.version, MAX_VERSION) ? { version: given.version } : {}
  return { ...version, connections, notTaken, notRestored, ...clock, ...disk, ...journal }
}

/** A controller of an earlier version does not say it. */
function readJournalTrouble({
  journalTrouble: reason = null,
  journalTroubleSeconds: seconds = null,
}: Partial<Record<keyof DeviceHealth, unknown>>): Partial<DeviceHealth> | undefined {
  if (!(isNull(reason) || isText(reason)) || !isSecondsOrNull(seconds)) return undefined
  return isNull(reason) || isNull(seconds) ? {} : { journalTrouble: reason, journalTroubleSeconds: seconds }
}

function readTroubles(list: unknown): HealthTrouble[] | undefined {
  if (list === undefined) return []
  if (!Array.isArray(list) || list.length > MAX_HEALTH_ITEMS) return undefined
  const read = list.map((item: unknown) => {
    const { id, name, seconds, reason = null } = (item ?? {}) as Partial<Record<keyof HealthTrouble, unknown>>
    const isValid = isStorable(id) && isText(name) && isSeconds(seconds) && (isNull(reason) || isText(reason))
    return isValid ? { id, name, seconds, reason } : undefined
  })
  const valid = read.filter((item) => item !== undefined)
  return valid.length === list.length && new Set(valid.map(({ id }) => id)).size === valid.length ? valid : undefined
}

const isNull = (value: unknown): value is null => value === null
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isSeconds = (value: unknown): value is number => isCount(value) && value <= MAX_SECONDS
const isSecondsOrNull = (value: unknown): value is number | null => isNull(value) || isSeconds(value)
const isText = (value: unknown): value is string => value === '' || isStorable(value)

/** Whether the evaluator has to look at it. */
export function hasTrouble(health: DeviceHealth): boolean {
  const { connections, notTaken, notRestored, clockOffsetMs, diskLowSeconds, droppedSeconds } = health
  const isListed = connections.length + notTaken.length + notRestored.length > 0
  if ((health.journalTroubleSeconds ?? null) !== null) return true
  return isListed || Math.abs(clockOffsetMs ?? 0) > CLOCK_WRONG_MS || diskLowSeconds !== null || droppedSeconds !== null
}
