import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { CONNECTION_STATUS, type ConnectionStatus, type DatapointValue } from '@plantroom/contract/values'
import type { Driver, DriverListener, Raw, Reading } from '@plantroom/drivers/driver'
import { createLiveValues, type LiveReading, type Shown } from './live-values.ts'
import { toEngineering, toRaw, toReading } from './scaling.ts'
import { newTally, type Tally } from './tally.ts'

const DEFAULT_POLL_SECONDS = 1
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 5_000

/** One link to equipment: opened, polled, and opened again for as long as it is commissioned. */
export interface Connection {
  readonly config: ConnectionConfig
  status(): ConnectionStatus
  /** The reply of `getTechnicalConnectionValues`, from memory. */
  values(): string
  /** One datapoint's entry in it. */
  current(datapointId: string): DatapointValue
  /** The last raw value that was read, or written where nothing can be read; also while the link is down. */
  lastRaw(datapointId: string): Raw | undefined
  /** What the equipment would hold for this value in engineering units. Throws a `Failure` `rejected` where nothing fits. */
  toRaw(datapointId: string, value: number): Raw
  /**
   * A fresh reading of one datapoint, which becomes its live value. Rejects with a `Failure`: `offline` when the link is
   * down or lost, `rejected` when this datapoint alone cannot be read.
   */
  read(datapointId: string): Promise<Raw>
  /**
   * Rejects with a `Failure`: `rejected`, then nothing was written; `offline`, at once when the link is down: when it was
   * lost meanwhile, nobody knows.
   */
  write(datapointId: string, raw: Raw): Promise<void>
  /** What holds the datapoint, shown with its live value from now on; `undefined`: nothing does. */
  show(datapointId: string, shown: Shown | undefined): void
  close(): Promise<void>
}

/** Told of what happens in the moment in which it happens: it must not throw. */
export interface ConnectionListener {
  /** The link stands, for the first time or again; the equipment may have forgotten what was written. */
  connected(connectionId: string): void
  /** A poll has read a datapoint that can be written. */
  reading(datapointId: string, raw: Raw): void
}

export function startConnection(deps: {
  config: ConnectionConfig
  /** Makes the driver, which tells the listener what happens between it and the equipment. */
  connect: (listener: DriverListener) => Driver
  clock: Clock
  log: Log
  listener?: ConnectionListener
  /** Where it counts on: a connection that is started anew has a past. */
  tally?: Tally
}): Connection {
  const { config, clock, log, listener, tally = newTally() } = deps
  const datapoints = new Map(config.datapoints.map((datapoint) => [datapoint.id, datapoint]))
  const readable = config.datapoints.filter((datapoint) => datapoint.accessType !== 'WRITE')
  const readableIds = readable.map((datapoint) => datapoint.id)
  const periodMs = pollSeconds(config) * 1000
  const live = createLiveValues(config.id, config.datapoints, clock.now())
  const lastRaws = new Map<string, Raw>()
  const stopping = new AbortController()
  /** From one opening to the loss that ends it. */
  let link = new AbortController()
  let status: ConnectionStatus = CONNECTION_STATUS.connecting
  let error: string | null = null
  let turn = 0
  /** The turn in which a datapoint was last written or read by itself. */
  const touched = new Map<string, number>()

  function become(next: ConnectionStatus, reason: string | null = null): void {
    if (next !== status || reason !== error)
      log.info({ connection: config.name, status: next, reason }, 'connection status')
    status = next
    error = reason
  }

  /** Whoever finds the link lost ends it for all: the poll need not find out by itself. */
  function lose(which: AbortController, reason: unknown): void {
    if (which.signal.aborted) return
    if (which === link && status === CONNECTION_STATUS.connected)
      become(CONNECTION_STATUS.disconnected, oneLine(reason))
    which.abort(reason)
  }

  /** What the end of this connection cuts short is nobody's fault. */
  const whileWanted = (count: () => void) => () => {
    if (!stopping.signal.aborted) count()
  }

  const driver = deps.connect({
    timedOut: whileWanted(() => {
      tally.timeouts += 1
    }),
    exception: whileWanted(() => {
      tally.exceptions += 1
    }),
    // While there is no link, whoever tries to have it back hears why there is none.
    lost(reason) {
      if (status === CONNECTION_STATUS.connected) lose(link, reason)
    },
  })

  function countReading(reading: Reading): void {
    if ('raw' in reading) tally.reads += 1
    else tally.readErrors += 1
  }

  async function run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS
    let stoodBefore = false
    while (!stopping.signal.aborted) {
      let upSince: number | undefined
      let reason: string | null = null
      link = new AbortController()
      try {
        await driver.open(stopping.signal)
        const firstReadings = await driver.read(readableIds)
        if (stopping.signal.aborted) return
        upSince = clock.monotonic()
        retryMs = FIRST_RETRY_MS
        if (stoodBefore) tally.reconnects += 1
        stoodBefore = true
        become(CONNECTION_STATUS.connected)
        take(firstReadings, turn)
        listener?.connected(config.id)
        await poll(link.signal)
        reason = oneLine(link.signal.reason)
      } catch (failure) {
        // Of a poll that was under way when the link was lost, the loss is the reason.
        reason = oneLine(link.signal.aborted ? link.signal.reason : failure)
      }
      if (stopping.signal.aborted) return
      become(upSince === undefined ? CONNECTION_STATUS.error : CONNECTION_STATUS.disconnected, reason)
      // The link was good a moment ago: one attempt to have it back before it is called an error. But one that falls
      // as soon as it stands is not made anew without end.
      if (upSince !== undefined && clock.monotonic() - upSince >= FIRST_RETRY_MS) continue
      await sleep(clock, retryMs, stopping.signal)
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
    }
  }

  /** Until the link is lost by whoever uses it, or the connection is closed. */
  async function poll(lost: AbortSignal): Promise<void> {
    let due = clock.monotonic() + periodMs
    while (!lost.aborted) {
      await sleep(clock, Math.max(0, due - clock.monotonic()), lost)
      if (lost.aborted) return
      turn += 1
      const asked = turn
      take(await driver.read(readableIds), asked)
      // Polls that were missed are left out, never caught up in a burst.
      due = Math.max(due + periodMs, clock.monotonic())
    }
  }

  function take(readings: readonly Reading[], asked: number): void {
    const timestamp = formatTimestamp(clock.now())
    for (const [index, datapoint] of readable.entries()) {
      const reading = toReading(readings[index], datapoint.scaler)
      countReading(reading)
      // What this poll brings may be from before the write or the reading that went ahead of it.
      if ((touched.get(datapoint.id) ?? 0) > asked) continue
      keep(datapoint, reading, timestamp)
      if (datapoint.accessType !== 'READ' && 'raw' in reading) listener?.reading(datapoint.id, reading.raw)
    }
  }

  function keep(datapoint: Datapoint, reading: Reading, timestamp: string): void {
    if ('raw' in reading) lastRaws.set(datapoint.id, reading.raw)
    live.set(datapoint.id, toLive(reading, datapoint, timestamp))
  }

  function touch(datapointId: string): void {
    turn += 1
    touched.set(datapointId, turn)
  }

  function unknown(datapointId: string): never {
    throw new Failure('rejected', `${datapointId} is not a datapoint of ${config.name}`)
  }
  const known = (datapointId: string) => datapoints.get(datapointId) ?? unknown(datapointId)

  async function overTheLink<Result>(use: () => Promise<Result>): Promise<Result> {
    const used = link
    if (status !== CONNECTION_STATUS.connected) {
      throw new Failure('offline', `${config.name} is not connected${error === null ? '' : `: ${error}`}`)
    }
    try {
      return await use()
    } catch (failure) {
      if (failure instanceof Failure && failure.kind === 'rejected') throw failure
      lose(used, failure)
      throw new Failure('offline', oneLine(failure))
    }
  }

  const ended = run()

  return {
    config,
    status: () => status,
    // As the contract has it: a message only with the status of an error. Of a loss, the log has the reason.
    values: () => live.snapshot(status, status === CONNECTION_STATUS.error ? error : null, clock.now()),
    current: (datapointId) => live.current(datapointId) ?? unknown(datapointId),
    lastRaw: (datapointId) => lastRaws.get(datapointId),
    show: (datapointId, shown) => live.show(datapointId, shown),

    toRaw(datapointId, value) {
      const raw = toRaw(value, known(datapointId).scaler)
      try {
        return driver.nearest(datapointId, raw)
      } catch (failure) {
        if (raw === value) throw failure
        throw new Failure('rejected', `${oneLine(failure)} (${raw} is the raw value of ${value})`)
      }
    },

    async read(datapointId) {
      const datapoint = known(datapointId)
      if (datapoint.accessType === 'WRITE') throw new Failure('rejected', `${datapoint.name} can only be written`)
      const [answer] = await overTheLink(() => driver.read([datapointId], { urgent: true }))
      const reading = toReading(answer, datapoint.scaler)
      countReading(reading)
      touch(datapointId)
      keep(datapoint, reading, formatTimestamp(clock.now()))
      if ('error' in reading) throw new Failure('rejected', `${datapoint.name}: ${reading.error}`)
      return reading.raw
    },

    async write(datapointId, raw) {
      const datapoint = known(datapointId)
      await overTheLink(() => driver.write(datapointId, raw))
      tally.writes += 1
      touch(datapointId)
      if (datapoint.accessType === 'WRITE') keep(datapoint, { raw }, formatTimestamp(clock.now()))
    },

    async close() {
      stopping.abort()
      link.abort()
      become(CONNECTION_STATUS.disconnected)
      await driver.close()
      await ended
      // Opening may have come to its end in this very moment.
      await driver.close()
    },
  }
}

function toLive(reading: Reading, { scaler }: Datapoint, timestamp: string): LiveReading {
  if ('error' in reading) return { value: null, timestamp, error: reading.error }
  return { value: toEngineering(reading.raw, scaler), timestamp }
}

function pollSeconds({ settings }: ConnectionConfig): number {
  return typeof settings.pollSeconds === 'number' ? settings.pollSeconds : DEFAULT_POLL_SECONDS
}

function oneLine(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
