import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { CONNECTION_STATUS, type ConnectionStatus, type DatapointValue } from '@plantroom/contract/values'
import type { Driver, DriverListener, Raw, Reading, Writable, WriteOptions } from '@plantroom/drivers/driver'
import { createLiveValues, type LiveReading, type Shown } from './live-values.ts'
import { toEngineering, toRaw, toReading } from './scaling.ts'
import { newTally, type Tally } from './tally.ts'

const DEFAULT_POLL_SECONDS = 1
/** How often equipment that is gone is looked for. */
const LOOK_AGAIN_MS = 1_000
/** A link that fell sooner after it stood is not reopened without a pause. */
const SHORTEST_LIFE_MS = 500

/** One link to equipment: opened, polled, and reopened for as long as it is commissioned. */
export interface Connection {
  readonly config: ConnectionConfig
  status(): ConnectionStatus
  /** The reply of `getTechnicalConnectionValues`, from memory. */
  values(): string
  /** One datapoint's entry in it. */
  current(datapointId: string): DatapointValue
  /**
   * What a writable datapoint held when it was last read, or acknowledged when it was written since; also while the link
   * is down.
   */
  lastReading(datapointId: string): Reading | undefined
  /** What the equipment would hold for this value in engineering units. Throws a `Failure` `rejected` where nothing fits. */
  toRaw(datapointId: string, value: number): Raw
  /**
   * Returns a fresh reading of one datapoint, which becomes its live value. It has a `raw` or an `image`. Rejects with a
   * `Failure`: `offline` when the link is down or lost, `rejected` when this datapoint alone cannot be read.
   */
  read(datapointId: string): Promise<Reading>
  /**
   * Writes whatever the status: what reads did is no reason not to try. Rejects with a `Failure`: `rejected`, then
   * nothing was written; `conflict`, then it was no longer wanted; `offline`, then it may or may not have been written.
   */
  write(datapointId: string, value: Writable, options?: WriteOptions): Promise<void>
  /**
   * Withdraws our value by the equipment's own means. Returns false, with nothing sent, where the protocol or this
   * datapoint has none: then the earlier value must be written back. Rejects like `write`.
   */
  relinquish(datapointId: string, options?: Pick<WriteOptions, 'stillWanted'>): Promise<boolean>
  /** Shows what holds the datapoint with its live value from now on; `undefined`: nothing does. */
  show(datapointId: string, shown: Shown | undefined): void
  close(): Promise<void>
}

/** Called in the moment in which something happens; must not throw. */
export interface ConnectionListener {
  /** The link stands, for the first time or again; the equipment may have lost what was written. */
  connected(connectionId: string): void
  /** A poll has read a writable datapoint. */
  reading(datapointId: string, raw: Raw): void
}

export function startConnection(deps: {
  config: ConnectionConfig
  /** Makes the driver, which reports to the listener what happens between it and the equipment. */
  connect: (listener: DriverListener) => Driver
  clock: Clock
  log: Log
  listener?: ConnectionListener
  /** Counters to continue: a connection that is restarted has a past. */
  tally?: Tally
}): Connection {
  const { config, clock, log, listener, tally = newTally() } = deps
  const datapoints = new Map(config.datapoints.map((datapoint) => [datapoint.id, datapoint]))
  const readable = config.datapoints.filter((datapoint) => datapoint.accessType !== 'WRITE')
  const readableIds = readable.map((datapoint) => datapoint.id)
  const periodMs = pollSeconds(config) * 1000
  const live = createLiveValues(config.id, config.datapoints, clock.now())
  const lastReadings = new Map<string, Reading>()
  const stopping = new AbortController()
  /** From one opening to the loss that ends it. */
  let link = new AbortController()
  /** Ends the pause before the next poll. */
  let pollNow = () => {}
  let status: ConnectionStatus = CONNECTION_STATUS.connecting
  let error: string | null = null
  let turn = 0
  /** The turn in which a datapoint was last written or read on its own. */
  const touched = new Map<string, number>()

  function become(next: ConnectionStatus, reason: string | null = null): void {
    if (next !== status || reason !== error)
      log.info({ connection: config.name, status: next, reason }, 'connection status')
    status = next
    error = reason
  }

  function lose(which: AbortController, reason: unknown): void {
    if (which.signal.aborted) return
    if (which === link && status === CONNECTION_STATUS.connected)
      become(CONNECTION_STATUS.disconnected, oneLine(reason))
    which.abort(reason)
  }

  /** What the end of this connection cuts short is not counted. */
  const whileRunning = (count: () => void) => () => {
    if (!stopping.signal.aborted) count()
  }

  const driver = deps.connect({
    timedOut: whileRunning(() => {
      tally.timeouts += 1
    }),
    exception: whileRunning(() => {
      tally.exceptions += 1
    }),
    // While there is no link, the attempt to reopen it reports why there is none.
    lost(reason) {
      if (status === CONNECTION_STATUS.connected) lose(link, reason)
    },
  })

  function countReading(reading: Reading): void {
    if ('raw' in reading) tally.reads += 1
    else tally.readErrors += 1
  }

  async function run(): Promise<void> {
    let stoodBefore = false
    while (!stopping.signal.aborted) {
      const startedAt = clock.monotonic()
      let upSince: number | undefined
      let reason: string | null = null
      link = new AbortController()
      try {
        await driver.open(stopping.signal)
        const firstReadings = await driver.read(readableIds)
        if (stopping.signal.aborted) return
        upSince = clock.monotonic()
        if (stoodBefore) tally.reconnects += 1
        stoodBefore = true
        become(CONNECTION_STATUS.connected)
        take(firstReadings, turn)
        listener?.connected(config.id)
        await poll(link.signal)
        reason = oneLine(link.signal.reason)
      } catch (failure) {
        // The loss is the reason why a poll that was under way failed.
        reason = oneLine(link.signal.aborted ? link.signal.reason : failure)
      }
      if (stopping.signal.aborted) return
      become(upSince === undefined ? CONNECTION_STATUS.error : CONNECTION_STATUS.disconnected, reason)
      // The link was good a moment ago: one attempt to reopen it before it counts as an error. But a link that falls
      // as soon as it stands is not reopened without end.
      if (upSince !== undefined && clock.monotonic() - upSince >= SHORTEST_LIFE_MS) continue
      const sinceMs = clock.monotonic() - (upSince ?? startedAt)
      await sleep(clock, Math.max(0, LOOK_AGAIN_MS - sinceMs), stopping.signal)
    }
  }

  /** Polls until the link is lost or the connection is closed. */
  async function poll(lost: AbortSignal): Promise<void> {
    let due = clock.monotonic() + periodMs
    while (!lost.aborted) {
      await pause(due - clock.monotonic(), lost)
      if (lost.aborted) return
      turn += 1
      const asked = turn
      take(await driver.read(readableIds), asked)
      // Missed polls are left out, never caught up in a burst.
      due = Math.max(due + periodMs, clock.monotonic())
    }
  }

  async function pause(ms: number, lost: AbortSignal): Promise<void> {
    const early = new AbortController()
    pollNow = () => early.abort()
    await sleep(clock, Math.max(0, ms), AbortSignal.any([lost, early.signal]))
    pollNow = () => {}
  }

  function take(readings: readonly Reading[], asked: number): void {
    const timestamp = formatTimestamp(clock.now())
    for (const [index, datapoint] of readable.entries()) {
      const reading = readings[index] ?? NOT_READ
      const shown = toReading(reading, datapoint.scaler)
      countReading(shown)
      // What this poll brings may be from before a write or a reading that overtook it.
      if ((touched.get(datapoint.id) ?? 0) > asked) continue
      keep(datapoint, reading, shown, timestamp)
      if (datapoint.accessType !== 'READ' && 'raw' in reading) listener?.reading(datapoint.id, reading.raw)
    }
  }

  function keep(datapoint: Datapoint, reading: Reading, shown: Reading, timestamp: string): void {
    if (datapoint.accessType !== 'READ' && saysWhatIsHeld(reading)) lastReadings.set(datapoint.id, reading)
    live.set(datapoint.id, toLive(shown, datapoint, timestamp))
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
    try {
      return await use()
    } catch (failure) {
      if (failure instanceof Failure && (failure.kind === 'rejected' || failure.kind === 'conflict')) throw failure
      // Only this address may be silent, or the whole link lost: the next poll finds out, so it comes now.
      pollNow()
      throw new Failure('offline', oneLine(failure))
    }
  }

  const ended = run()

  return {
    config,
    status: () => status,
    // The contract has a message only with status -1. The log has the reason for a loss.
    values: () => live.snapshot(status, status === CONNECTION_STATUS.error ? error : null, clock.now()),
    current: (datapointId) => live.current(datapointId) ?? unknown(datapointId),
    lastReading: (datapointId) => lastReadings.get(datapointId),
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
      const [reading = NOT_READ] = await overTheLink(() => driver.read([datapointId], { urgent: true }))
      const shown = toReading(reading, datapoint.scaler)
      countReading(shown)
      // A value that was written is all that is shown of a datapoint that can only be written.
      if (datapoint.accessType !== 'WRITE') {
        touch(datapointId)
        keep(datapoint, reading, shown, formatTimestamp(clock.now()))
      }
      if (saysWhatIsHeld(reading)) return reading
      throw new Failure('rejected', `${datapoint.name}: ${reading.error}`)
    },

    async write(datapointId, value, options) {
      const datapoint = known(datapointId)
      await overTheLink(() => driver.write(datapointId, value, options))
      tally.writes += 1
      touch(datapointId)
      const written: Reading = typeof value === 'object' ? { error: 'not a number', ...value } : { raw: value }
      lastReadings.set(datapointId, written)
      if (datapoint.accessType !== 'WRITE') return
      live.set(datapointId, toLive(toReading(written, datapoint.scaler), datapoint, formatTimestamp(clock.now())))
    },

    async relinquish(datapointId, options) {
      known(datapointId)
      const relinquished = await overTheLink(async () => driver.relinquish?.(datapointId, options) ?? false)
      if (!relinquished) return false
      tally.writes += 1
      touch(datapointId)
      // The last reading is our own setpoint, which must not be captured as the value to restore.
      lastReadings.delete(datapointId)
      return true
    },

    async close() {
      stopping.abort()
      link.abort()
      become(CONNECTION_STATUS.disconnected)
      await driver.close()
      await ended
      // Opening may have finished in this very moment.
      await driver.close()
    },
  }
}

const NOT_READ: Reading = { error: 'not read' }

type Held = Extract<Reading, { raw: Raw }> | { error: string; image: string }

const saysWhatIsHeld = (reading: Reading): reading is Held => 'raw' in reading || reading.image !== undefined

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
