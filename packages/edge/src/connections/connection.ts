import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Connection as ConnectionConfig, Datapoint } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { CONNECTION_STATUS, type ConnectionStatus, type DatapointValue } from '@plantroom/contract/values'
import type { Driver, Reading } from '@plantroom/drivers/driver'
import { createLiveValues } from './live-values.ts'
import { toEngineering } from './scaling.ts'

const DEFAULT_POLL_SECONDS = 1
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 5_000

/** One link to equipment: opened, polled, and opened again for as long as it is commissioned. */
export interface Connection {
  readonly config: ConnectionConfig
  /** The reply of `getTechnicalConnectionValues`, from memory. */
  values(): string
  close(): Promise<void>
}

export function startConnection(deps: {
  config: ConnectionConfig
  driver: Driver
  clock: Clock
  log: Log
}): Connection {
  const { config, driver, clock, log } = deps
  const readable = config.datapoints.filter((datapoint) => datapoint.accessType !== 'WRITE')
  const readableIds = readable.map((datapoint) => datapoint.id)
  const periodMs = pollSeconds(config) * 1000
  const live = createLiveValues(config.id, config.datapoints, clock.now())
  const stopping = new AbortController()
  let status: ConnectionStatus = CONNECTION_STATUS.connecting
  let error: string | null = null

  function become(next: ConnectionStatus, reason: string | null = null): void {
    if (next !== status || reason !== error)
      log.info({ connection: config.name, status: next, reason }, 'connection status')
    status = next
    error = reason
  }

  async function run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS
    while (!stopping.signal.aborted) {
      try {
        await driver.open(stopping.signal)
        const firstReadings = await driver.read(readableIds)
        retryMs = FIRST_RETRY_MS
        take(firstReadings)
        become(CONNECTION_STATUS.connected)
        await poll()
      } catch (failure) {
        if (stopping.signal.aborted) return
        if (status === CONNECTION_STATUS.connected) {
          // The link was good a moment ago: one attempt to have it back before it is called an error.
          become(CONNECTION_STATUS.disconnected)
          continue
        }
        become(CONNECTION_STATUS.error, oneLine(failure))
        await sleep(clock, retryMs, stopping.signal)
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
      }
    }
  }

  async function poll(): Promise<void> {
    let due = clock.monotonic() + periodMs
    while (!stopping.signal.aborted) {
      await sleep(clock, Math.max(0, due - clock.monotonic()), stopping.signal)
      if (stopping.signal.aborted) return
      take(await driver.read(readableIds))
      // Polls that were missed are left out, never caught up in a burst.
      due = Math.max(due + periodMs, clock.monotonic())
    }
  }

  function take(readings: readonly Reading[]): void {
    const timestamp = formatTimestamp(clock.now())
    for (const [index, datapoint] of readable.entries()) {
      live.set(datapoint.id, toValue(readings[index], datapoint, timestamp))
    }
  }

  const ended = run()

  return {
    config,
    values: () => live.snapshot(status, error, clock.now()),
    async close() {
      stopping.abort()
      await driver.close()
      await ended
      // Opening may have come to its end in this very moment.
      await driver.close()
    },
  }
}

function toValue(reading: Reading | undefined, datapoint: Datapoint, timestamp: string): DatapointValue {
  if (!reading || 'error' in reading) return { value: null, timestamp, error: reading?.error ?? 'not read' }
  const value = toEngineering(reading.raw, datapoint.scaler)
  return Number.isFinite(value)
    ? { value, timestamp }
    : { value: null, timestamp, error: `the equipment sent ${value}` }
}

function pollSeconds({ settings }: ConnectionConfig): number {
  return typeof settings.pollSeconds === 'number' ? settings.pollSeconds : DEFAULT_POLL_SECONDS
}

function oneLine(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
