import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import {
  CONNECTION_STATUS,
  type ConnectionStatus,
  type ConnectionValues,
  type DatapointValue,
} from '@plantroom/contract/values'
import type { Driver, DriverListener, InCharge, Raw, Reading, Writable, WriteOptions } from '@plantroom/drivers/driver'
import type { JsonText } from '../json-text.ts'
import { runConnection } from './connection-loop.ts'
import {
  type ConnectionListener,
  type ConnectionState,
  type Counters,
  countReading,
  isRestorable,
  keepReading,
  loseLink,
  NOT_READ,
  newCounters,
  reasonOf,
  setStatus,
  toLive,
  touch,
} from './connection-state.ts'
import { createLiveValues, type ShownHold } from './live-values.ts'
import { toRaw, toReading } from './scaling.ts'

/** One link to equipment: opened, polled, and reopened for as long as it is commissioned. */
export interface Connection {
  readonly config: ConnectionConfig
  status(): ConnectionStatus
  /** Why the status is an error; `null` at any other status. */
  error(): string | null
  /** Returns the reply of `getTechnicalConnectionValues`, from memory. */
  values(): JsonText<ConnectionValues>
  /** Returns one datapoint's entry in it. */
  current(datapointId: string): DatapointValue
  /**
   * Returns the last reading of a writable datapoint; of one that can only be written, its last acknowledged write.
   * Works while the link is down too.
   */
  lastReading(datapointId: string): Reading | undefined
  /** Reports whether the latest attempt to read a writable datapoint, since the link came up, said what it holds. */
  isKnown(datapointId: string): boolean
  /** Returns the raw value nearest to this one in engineering units. Throws a `Failure` `rejected` where nothing fits. */
  toRaw(datapointId: string, value: number): Raw
  /**
   * Returns a fresh reading of one datapoint, which becomes its live value. It has a `raw` or an `image`. Rejects with a
   * `Failure`: `offline` when the link is down or lost, `rejected` when this datapoint alone cannot be read.
   */
  read(datapointId: string): Promise<Reading>
  /**
   * Writes whatever the status: failed reads are no reason not to try. Rejects with a `Failure`: `rejected` when
   * nothing was written; `conflict` when the value was no longer wanted; `offline` when it may or may not have been
   * written.
   */
  write(datapointId: string, value: Writable, options?: WriteOptions): Promise<void>
  /**
   * Withdraws our value by the equipment's own means. Returns false, with nothing sent, where the protocol or this
   * datapoint has none: then the earlier value must be written back. Rejects like `write`.
   */
  relinquish(datapointId: string, options?: Pick<WriteOptions, 'stillWanted'>): Promise<boolean>
  /** Returns what the equipment follows instead of us; `undefined` when nothing is known to be. Never rejects. */
  inCharge(datapointId: string): Promise<InCharge | undefined>
  /**
   * Arms the timer with which the equipment ends a hold on this datapoint by itself. Returns the seconds until that happens;
   * `undefined` where it has none. Rejects like `write`.
   */
  armReversion(datapointId: string): Promise<number | undefined>
  /** Disables that timer. */
  disarmReversion(datapointId: string): Promise<void>
  /** Shows with the live value which writer holds the datapoint; `undefined` when none does. */
  show(datapointId: string, hold: ShownHold | undefined): void
  close(): Promise<void>
}

interface ConnectionDeps {
  config: ConnectionConfig
  /** Makes the driver, which reports to the listener what happens between it and the equipment. */
  connect: (listener: DriverListener) => Driver
  clock: Clock
  log: Log
  listener?: ConnectionListener
  /** Reports whether the datapoint is about to be moved or removed. Nothing is sent to it any more. */
  isLeaving?: (datapointId: string) => boolean
  /** Counters to continue when a connection is restarted. */
  counters?: Counters
}

export function startConnection(deps: ConnectionDeps): Connection {
  const state = newState(deps)
  const { config, clock, driver, stopping, live } = state
  const ended = runConnection(state)
  // The contract has a message only with status -1. The log has the reason for a lost link.
  const error = () => (state.status === CONNECTION_STATUS.error ? state.error : null)

  return {
    config,
    status: () => state.status,
    error,
    values: () => live.snapshot(state.status, error(), clock.now()),
    current: (datapointId) => live.current(datapointId) ?? rejectUnknown(state, datapointId),
    lastReading: (datapointId) => state.lastReadings.get(datapointId),
    isKnown: (datapointId) => state.known.has(datapointId),
    show: (datapointId, hold) => live.show(datapointId, hold),
    toRaw: (datapointId, value) => nearestRaw(state, datapointId, value),
    read: (datapointId) => readOne(state, datapointId),
    write: (datapointId, value, options) => writeOne(state, datapointId, value, options),
    relinquish: (datapointId, options) => relinquishOne(state, datapointId, options),
    // It only explains: what matters has been read.
    inCharge: async (datapointId) => state.driver.inCharge?.(datapointId).catch(() => undefined),
    async armReversion(datapointId) {
      rejectGone(state, datapointId)
      return overTheLink(state, async () => driver.armReversion?.(datapointId))
    },
    async disarmReversion(datapointId) {
      rejectGone(state, datapointId)
      await overTheLink(state, async () => driver.disarmReversion?.(datapointId))
    },
    async close() {
      stopping.abort()
      state.link.abort()
      setStatus(state, CONNECTION_STATUS.disconnected)
      await driver.close()
      await ended
      // Opening may have finished in the meantime.
      await driver.close()
    },
  }
}

function newState({
  config,
  connect,
  clock,
  log,
  listener,
  isLeaving = () => false,
  counters = newCounters(),
}: ConnectionDeps): ConnectionState {
  const readable = config.datapoints.filter((datapoint) => datapoint.accessType !== 'WRITE')
  const stopping = new AbortController()
  // Requests that closing cuts short are not counted.
  const whileRunning = (count: () => void) => () => {
    if (!stopping.signal.aborted) count()
  }
  const driver = connect({
    timedOut: whileRunning(() => {
      counters.timeouts += 1
    }),
    exception: whileRunning(() => {
      counters.exceptions += 1
    }),
    lost: (reason) => loseLink(state, reason),
  })
  const state: ConnectionState = {
    config,
    driver,
    clock,
    log,
    listener,
    isGone: (datapointId) => stopping.signal.aborted || isLeaving(datapointId),
    counters,
    datapoints: new Map(config.datapoints.map((datapoint) => [datapoint.id, datapoint])),
    readable,
    readableIds: readable.map((datapoint) => datapoint.id),
    writeOnly: config.datapoints.filter((datapoint) => datapoint.accessType === 'WRITE'),
    live: createLiveValues(config.id, config.datapoints, clock.now()),
    lastReadings: new Map(),
    known: new Set(),
    stopping,
    link: new AbortController(),
    pollNow: () => {},
    status: CONNECTION_STATUS.connecting,
    error: null,
    turn: 0,
    touched: new Map(),
  }
  return state
}

function nearestRaw(state: ConnectionState, datapointId: string, value: number): Raw {
  const raw = toRaw(value, datapointOf(state, datapointId).scaler)
  try {
    return state.driver.nearest(datapointId, raw)
  } catch (failure) {
    if (raw === value) throw failure
    throw new Failure('rejected', `${reasonOf(failure)} (${raw} is the raw value of ${value})`)
  }
}

async function readOne(state: ConnectionState, datapointId: string): Promise<Reading> {
  const datapoint = datapointOf(state, datapointId)
  const [reading = NOT_READ] = await overTheLink(state, () => state.driver.read([datapointId], { urgent: true }))
  rejectGone(state, datapointId)
  const shown = toReading(reading, datapoint.scaler)
  countReading(state, shown)
  // A datapoint that can only be written always shows the value written last.
  if (datapoint.accessType !== 'WRITE') {
    touch(state, datapointId)
    keepReading(state, { datapoint, reading, shown, at: state.clock.now() })
  }
  if (isRestorable(reading)) return reading
  throw new Failure('rejected', `${datapoint.name}: ${reading.error}`)
}

async function writeOne(
  state: ConnectionState,
  datapointId: string,
  value: Writable,
  options: WriteOptions | undefined,
): Promise<void> {
  const datapoint = datapointOf(state, datapointId)
  rejectGone(state, datapointId)
  const stillWanted = whileThere(state, datapointId, options)
  await overTheLink(state, () => state.driver.write(datapointId, value, { ...options, stillWanted }))
  rejectGone(state, datapointId)
  state.counters.writes += 1
  touch(state, datapointId)
  if (datapoint.accessType !== 'WRITE') return
  const written: Reading = typeof value === 'object' ? { error: 'not a number', ...value } : { raw: value }
  state.lastReadings.set(datapointId, written)
  const at = state.clock.now()
  const current = toLive(toReading(written, datapoint.scaler), datapoint, formatTimestamp(at))
  state.live.set(datapointId, current)
  state.listener?.value?.(datapointId, { at, value: current.value })
}

async function relinquishOne(
  state: ConnectionState,
  datapointId: string,
  options: Pick<WriteOptions, 'stillWanted'> | undefined,
): Promise<boolean> {
  datapointOf(state, datapointId)
  rejectGone(state, datapointId)
  const stillWanted = whileThere(state, datapointId, options)
  const relinquished = await overTheLink(
    state,
    async () => state.driver.relinquish?.(datapointId, { stillWanted }) ?? false,
  )
  if (!relinquished) return false
  rejectGone(state, datapointId)
  state.counters.writes += 1
  touch(state, datapointId)
  return true
}

/** A value that waits in the driver must not reach an address that the datapoint has left. */
function whileThere(
  state: ConnectionState,
  datapointId: string,
  { stillWanted = () => true }: Pick<WriteOptions, 'stillWanted'> = {},
): () => boolean {
  return () => !state.isGone(datapointId) && stillWanted()
}

/** The equipment at an address that the datapoint has left says nothing about the one that it has now. */
function rejectGone(state: ConnectionState, datapointId: string): void {
  if (state.isGone(datapointId)) throw new Failure('offline', 'the connection is being replaced')
}

/** Turns everything but a rejection and a conflict into a `Failure` `offline`. */
async function overTheLink<Result>(state: ConnectionState, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (failure) {
    if (failure instanceof Failure && (failure.kind === 'rejected' || failure.kind === 'conflict')) throw failure
    // Either this address alone is silent or the whole link is lost. Poll now to find out.
    state.pollNow()
    throw new Failure('offline', reasonOf(failure))
  }
}

function datapointOf(state: ConnectionState, datapointId: string): Datapoint {
  return state.datapoints.get(datapointId) ?? rejectUnknown(state, datapointId)
}

function rejectUnknown({ config }: ConnectionState, datapointId: string): never {
  throw new Failure('rejected', `${datapointId} is not a datapoint of ${config.name}`)
}
