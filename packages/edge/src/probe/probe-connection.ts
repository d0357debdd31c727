import { type Clock, sleep, within } from '@plantroom/base/clock'
import type { AccessType, Connection, Datapoint } from '@plantroom/contract/datapoint'
import { endpointOf } from '@plantroom/contract/endpoint'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { Driver, Protocol, Raw, Reading } from '@plantroom/drivers/driver'
import { toExact, toReading } from '../connections/scaling.ts'

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

interface ProbeDeps {
  protocols: Readonly<Record<string, Pick<Protocol, 'connect'>>>
  clock: Clock
  /** From opening the connection to the last answer. */
  limitMs: number
  /** Gives up at the first failure instead of trying again until the limit. */
  once?: boolean
}

/** Opens one connection and reads each of its datapoints. Tries again until the limit. Writes nothing and never rejects. */
export async function probeConnection(
  connection: Connection,
  { protocols, clock, limitMs, once = false }: ProbeDeps,
): Promise<ProbedConnection> {
  const { name, protocol, datapoints } = connection
  const ids = datapoints.filter(({ accessType }) => accessType !== 'WRITE').map(({ id }) => id)
  const readings = new Map<string, Reading>()
  let error: string | null = null
  let lastFailure: unknown
  try {
    const driver = driverOf(protocols, connection)
    const tooLong = new AbortController()
    const cancel = clock.after(limitMs, () => tooLong.abort())
    try {
      // The timeout comes first: its message is more specific than that of an aborted driver.
      await Promise.race([
        aborted(tooLong.signal, limitMs, () => lastFailure),
        openAndRead(driver, ids, {
          listen: protocol === 'mqtt',
          once,
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

function driverOf(protocols: ProbeDeps['protocols'], connection: Connection): Driver {
  const protocol = Object.hasOwn(protocols, connection.protocol) ? protocols[connection.protocol] : undefined
  if (!protocol)
    throw new Error(`this controller does not know the protocol ${connection.protocol}; update its software`)
  return protocol.connect(connection)
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
    once: boolean
    clock: Clock
    signal: AbortSignal
    answered(readings: readonly Reading[]): void
    failed(reason: unknown): void
  },
): Promise<void> {
  const { listen, once, clock, signal, answered, failed } = options
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
      if (once) throw failure
      failed(failure)
    }
    await sleep(clock, RETRY_MS, signal)
    if (signal.aborted) return
    await driver.open(signal).catch(failed)
  }
}

/** Rejects when `signal` aborts, with the last failure as the reason. */
function aborted(signal: AbortSignal, limitMs: number, lastFailure: () => unknown): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => {
      const reason = lastFailure()
      const limit = `${Math.round(limitMs / 1000)} s`
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
