import { type Clock, sleep, within } from '@plantroom/base/clock'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import type { AccessType, Connection, Datapoint } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { Driver, Raw, Reading } from '@plantroom/drivers/driver'
import { toExact, toReading } from '../connections/scaling.ts'
import { endpointOf, type Protocols, toConnections } from './commissioning-file.ts'

/** Time limit for one connection, from opening it to the last answer. */
const LIMIT_MS = 15_000
const RETRY_MS = 1_000
/** How long to wait for equipment that sends its state unprompted. */
const LISTEN_MS = 10_000
const LISTEN_AGAIN_MS = 200
const CLOSE_MS = 1_000

/** The result for one datapoint. All four results are `null` for a WRITE datapoint, which is not read. */
export interface ProbedDatapoint {
  name: string
  accessType: AccessType
  raw: number | string | null
  value: number | string | null
  /** What the equipment answered instead of a number, for example NaN. The wiring is right. */
  note: string | null
  /** Why nothing was read. */
  error: string | null
}

export interface ProbedConnection {
  name: string
  protocol: string
  /** Host and port. */
  endpoint: string
  status: ConnectionStatus
  error: string | null
  datapoints: ProbedDatapoint[]
}

/**
 * Opens each connection and reads each datapoint, the connections to one endpoint one after the other. Writes nothing.
 * Never rejects, and takes at most 15 seconds per connection; calls `done` after each.
 */
export async function probe(
  file: CommissioningFile,
  deps: { protocols: Protocols; clock: Clock; done?: (connection: ProbedConnection) => void },
): Promise<ProbedConnection[]> {
  const { done = () => {} } = deps
  const probed = new Map<string, ProbedConnection>()
  const connections = toConnections(file)

  async function probeInSequence(group: readonly Connection[]): Promise<void> {
    for (const connection of group) {
      const result = await probeConnection(connection, deps)
      probed.set(connection.id, result)
      done(result)
    }
  }

  const groups = Map.groupBy(connections, endpointOf)
  await Promise.all(Array.from(groups.values(), probeInSequence))
  return connections.flatMap(({ id }) => probed.get(id) ?? [])
}

async function probeConnection(
  connection: Connection,
  { protocols, clock }: { protocols: Protocols; clock: Clock },
): Promise<ProbedConnection> {
  const { name, protocol, datapoints } = connection
  const ids = datapoints.filter(({ accessType }) => accessType !== 'WRITE').map(({ id }) => id)
  const readings = new Map<string, Reading>()
  let error: string | null = null
  let lastFailure: unknown
  try {
    const driver = protocols[protocol].connect(connection)
    const tooLong = new AbortController()
    const cancel = clock.after(LIMIT_MS, () => tooLong.abort())
    try {
      // The timeout comes first: its message is more specific than that of an aborted driver.
      await Promise.race([
        aborted(tooLong.signal, () => lastFailure),
        openAndRead(driver, ids, {
          listen: protocol === 'mqtt',
          clock,
          signal: tooLong.signal,
          answered(batch) {
            for (const [index, reading] of batch.entries()) keep(readings, ids[index] ?? '', reading)
          },
          failed(failure) {
            lastFailure = failure
          },
        }),
      ])
    } finally {
      cancel()
      await within(clock, CLOSE_MS, driver.close()).catch(() => {})
    }
  } catch (failure) {
    error = messageOf(failure)
  }

  return {
    name,
    protocol,
    endpoint: endpointOf(connection),
    error,
    status: error === null ? CONNECTION_STATUS.connected : CONNECTION_STATUS.error,
    datapoints: datapoints.map((datapoint) => probedDatapoint(datapoint, readings.get(datapoint.id), error)),
  }
}

/** Uses `connectionError` as the reason where a datapoint has no reading. */
function probedDatapoint(
  { name, accessType, scaler }: Datapoint,
  reading: Reading | undefined,
  connectionError: string | null,
): ProbedDatapoint {
  const nothing = { name, accessType, raw: null, value: null, note: null, error: null }
  if (accessType === 'WRITE') return nothing
  if (!reading) return { ...nothing, error: connectionError ?? 'not read' }
  const judged = toReading(reading, scaler)
  if ('raw' in judged) return { ...nothing, raw: exact(judged.raw), value: toExact(judged.raw, scaler) }
  return { ...nothing, ...(answers(reading) ? { note: judged.error } : { error: judged.error }) }
}

/** Reports whether the equipment answered, with a number or not. */
function answers(reading: Reading): boolean {
  return 'raw' in reading || reading.image !== undefined
}

/** Keeps the newer of two readings of one point, unless only the older one is an answer. */
function keep(readings: Map<string, Reading>, id: string, reading: Reading): void {
  const before = readings.get(id)
  if (!before || answers(reading) || !answers(before)) readings.set(id, reading)
}

/** Opens and reads. When a read rejects, retries every second until `signal` aborts. */
async function openAndRead(
  driver: Driver,
  ids: readonly string[],
  options: {
    listen: boolean
    clock: Clock
    signal: AbortSignal
    answered(readings: readonly Reading[]): void
    failed(reason: unknown): void
  },
): Promise<void> {
  const { listen, clock, signal, answered, failed } = options
  await driver.open(signal)
  const listenUntil = clock.monotonic() + (listen ? LISTEN_MS : 0)
  for (;;) {
    try {
      let readings = await driver.read(ids, { urgent: true })
      answered(readings)
      while (clock.monotonic() < listenUntil && !readings.every(answers)) {
        await sleep(clock, LISTEN_AGAIN_MS, signal)
        readings = await driver.read(ids)
        answered(readings)
      }
      return
    } catch (failure) {
      failed(failure)
    }
    await sleep(clock, RETRY_MS, signal)
    if (signal.aborted) return
    await driver.open(signal).catch(failed)
  }
}

/** Rejects when `signal` aborts, with the last failure as the reason. */
function aborted(signal: AbortSignal, lastFailure: () => unknown): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => {
      const reason = lastFailure()
      const limit = `${LIMIT_MS / 1000} s`
      reject(
        new Error(
          reason === undefined ? `gave no answer within ${limit}` : `${messageOf(reason)} (retried for ${limit})`,
        ),
      )
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

const messageOf = (failure: unknown) => (failure instanceof Error ? failure.message : String(failure))

/** Returns a number where JSON can represent it exactly, otherwise its digits. */
function exact(raw: Raw): number | string {
  return typeof raw === 'number' || Number.isSafeInteger(Number(raw)) ? Number(raw) : String(raw)
}
