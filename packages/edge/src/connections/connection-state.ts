import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, Datapoint } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { Driver, Raw, Reading } from '@plantroom/drivers/driver'
import type { TimedValue } from '../telemetry/interval.ts'
import type { LiveReading, LiveValues } from './live-values.ts'
import { toEngineering, toReading } from './scaling.ts'

/** Counts what happens on a connection. Only ever grows. */
export interface Counters {
  /** Datapoints that were read. */
  reads: number
  /** Datapoints that could not be read although the link was up. */
  readErrors: number
  /** Writes that the equipment accepted. */
  writes: number
  /** Requests and connection attempts without an answer in time, as the driver sees them. */
  timeouts: number
  /** Error answers, as the driver sees them. One may affect many datapoints, or none when the driver recovers. */
  exceptions: number
  /** How often a lost link came back. */
  reconnects: number
}

export interface ConnectionFigures extends Counters {
  id: string
  name: string
  protocol: string
  status: ConnectionStatus
}

export function newCounters(): Counters {
  return { reads: 0, readErrors: 0, writes: 0, timeouts: 0, exceptions: 0, reconnects: 0 }
}

/** Called synchronously; must not throw. */
export interface ConnectionListener {
  /** The link is up, for the first time or again. The equipment may have lost what was written. */
  connected(connectionId: string): void
  /** A poll has read what a writable datapoint holds. The reading is newer than every write before it. */
  reading(datapointId: string, reading: RestorableReading): void
  /** A datapoint has this live value, in engineering units; `null` when it cannot be read or its link is lost. */
  value?(datapointId: string, value: TimedValue): void
}

/** The state of one running connection. */
export interface ConnectionState {
  config: ConnectionConfig
  driver: Driver
  clock: Clock
  log: Log
  listener: ConnectionListener | undefined
  /** Reports whether the datapoint is no longer behind this connection, or about to leave it. */
  isGone(datapointId: string): boolean
  counters: Counters
  datapoints: ReadonlyMap<string, Datapoint>
  /** The datapoints that polls read, and their ids. */
  readable: readonly Datapoint[]
  readableIds: readonly string[]
  /** The datapoints that polls do not read. */
  writeOnly: readonly Datapoint[]
  live: LiveValues
  /** The last reading of each writable datapoint; of one that can only be written, its last acknowledged write. */
  lastReadings: Map<string, Reading>
  /** The writable datapoints whose latest attempt to read them, since the link came up, said what they hold. */
  known: Set<string>
  /** Aborts when the connection is closed. */
  stopping: AbortController
  /** Aborts when the current link is lost. Replaced for each attempt to open. */
  link: AbortController
  /** Ends the pause before the next poll. */
  pollNow(): void
  status: ConnectionStatus
  error: string | null
  /** Counts polls, single reads and writes, so that a slow poll can tell what overtook it. */
  turn: number
  /** The turn in which a datapoint was last written or read on its own. */
  touched: Map<string, number>
}

export const NOT_READ: Reading = { error: 'not read' }

export function setStatus(state: ConnectionState, next: ConnectionStatus, reason: string | null = null): void {
  if (next !== state.status || reason !== state.error) {
    state.log.info({ connection: state.config.name, status: next, reason }, 'connection status')
  }
  if (next !== CONNECTION_STATUS.connected) state.known.clear()
  const wasConnected = state.status === CONNECTION_STATUS.connected
  state.status = next
  state.error = reason
  if (!wasConnected || next === CONNECTION_STATUS.connected) return
  const at = state.clock.now()
  for (const id of state.datapoints.keys()) state.listener?.value?.(id, { at, value: null })
}

/** Ends the current link, if it is up, because the driver has lost it. */
export function loseLink(state: ConnectionState, reason: unknown): void {
  // While there is no link, the attempt to reopen it reports why.
  if (state.status !== CONNECTION_STATUS.connected || state.link.signal.aborted) return
  setStatus(state, CONNECTION_STATUS.disconnected, reasonOf(reason))
  state.link.abort(reason)
}

/** Takes in the readings of a poll that started in turn `asked`. */
export function takePoll(state: ConnectionState, readings: readonly Reading[], asked: number): void {
  const at = state.clock.now()
  for (const [index, datapoint] of state.readable.entries()) {
    const reading = readings[index] ?? NOT_READ
    const shown = toReading(reading, datapoint.scaler)
    countReading(state, shown)
    // The poll may be older than a write or a single reading that overtook it.
    if ((state.touched.get(datapoint.id) ?? 0) > asked || state.isGone(datapoint.id)) continue
    keepReading(state, { datapoint, reading, shown, at })
    if (datapoint.accessType !== 'READ' && isRestorable(reading)) state.listener?.reading(datapoint.id, reading)
  }
  // A datapoint that can only be written keeps the value written last for as long as the link is up.
  for (const { id } of state.writeOnly) {
    state.listener?.value?.(id, { at, value: state.live.current(id)?.value ?? null })
  }
}

export function keepReading(
  { lastReadings, known, live, listener }: ConnectionState,
  { datapoint, reading, shown, at }: { datapoint: Datapoint; reading: Reading; shown: Reading; at: number },
): void {
  if (datapoint.accessType !== 'READ') {
    if (isRestorable(reading)) {
      lastReadings.set(datapoint.id, reading)
      known.add(datapoint.id)
    } else known.delete(datapoint.id)
  }
  const current = toLive(shown, datapoint, formatTimestamp(at))
  live.set(datapoint.id, current)
  listener?.value?.(datapoint.id, { at, value: current.value })
}

export function countReading({ counters }: ConnectionState, reading: Reading): void {
  if ('raw' in reading) counters.reads += 1
  else counters.readErrors += 1
}

/** Marks a datapoint as read or written on its own, so that a poll under way does not overwrite its value. */
export function touch(state: ConnectionState, datapointId: string): void {
  state.turn += 1
  state.touched.set(datapointId, state.turn)
}

export type RestorableReading = Extract<Reading, { raw: Raw }> | { error: string; image: string }

/** Reports whether the reading says what the equipment holds, as a number or as an image. */
export const isRestorable = (reading: Reading): reading is RestorableReading =>
  'raw' in reading || reading.image !== undefined

export function toLive(reading: Reading, { scaler }: Datapoint, timestamp: string): LiveReading {
  if ('error' in reading) return { value: null, timestamp, error: reading.error }
  return { value: toEngineering(reading.raw, scaler), timestamp }
}

export function reasonOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
