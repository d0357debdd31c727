import { type Clock, sleep } from '@plantroom/base/clock'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import type { AccessType, Connection } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import type { Driver, Raw, Reading } from '@plantroom/drivers/driver'
import { toExact, toReading } from '../connections/scaling.ts'
import { within } from '../within.ts'
import type { Protocols } from './check-file.ts'
import { endpointOf, layOut } from './lay-out.ts'

/** For all of a connection, from its opening to the last answer. */
const LIMIT_MS = 15_000
/** How long equipment that speaks when it likes is listened to. */
const LISTEN_MS = 10_000
const LISTEN_AGAIN_MS = 200
const CLOSE_MS = 1_000

/** What was read of a datapoint, or why nothing was. All three are `null` where it can only be written: it is not tried. */
export interface ProbedDatapoint {
  name: string
  accessType: AccessType
  raw: number | string | null
  value: number | string | null
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
 * Opens each connection and reads each datapoint once, the connections to one endpoint after each other. Writes nothing.
 * Never rejects, and takes 15 seconds a connection at the most; `done` is told of each.
 */
export async function probe(
  file: CommissioningFile,
  deps: { protocols: Protocols; clock: Clock; done?: (connection: ProbedConnection) => void },
): Promise<ProbedConnection[]> {
  const { done = () => {} } = deps
  const probed = new Map<string, ProbedConnection>()
  const connections = layOut(file)

  async function oneAfterTheOther(group: readonly Connection[]): Promise<void> {
    for (const connection of group) {
      const result = await probeConnection(connection, deps)
      probed.set(connection.id, result)
      done(result)
    }
  }

  const groups = Map.groupBy(connections, endpointOf)
  await Promise.all(Array.from(groups.values(), oneAfterTheOther))
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
  try {
    const driver = protocols[protocol].connect(connection)
    const tooLong = new AbortController()
    const cancel = clock.after(LIMIT_MS, () => tooLong.abort())
    try {
      // First in the race: that a driver was called off says less than why.
      const answers = await Promise.race([
        aborted(tooLong.signal),
        openAndRead(driver, ids, { listen: protocol === 'mqtt', clock, signal: tooLong.signal }),
      ])
      answers.forEach((reading, index) => void readings.set(ids[index] ?? '', reading))
    } finally {
      cancel()
      await within(clock, CLOSE_MS, driver.close()).catch(() => {})
    }
  } catch (failure) {
    error = failure instanceof Error ? failure.message : String(failure)
  }

  return {
    ...{ name, protocol, endpoint: endpointOf(connection), error },
    status: error === null ? CONNECTION_STATUS.connected : CONNECTION_STATUS.error,
    datapoints: datapoints.map(({ id, name, accessType, scaler }) => {
      const nothing = { name, accessType, raw: null, value: null, error }
      if (accessType === 'WRITE') return { ...nothing, error: null }
      if (error !== null) return nothing
      const reading = toReading(readings.get(id), scaler)
      if ('error' in reading) return { ...nothing, error: reading.error }
      return { name, accessType, raw: shown(reading.raw), value: toExact(reading.raw, scaler), error }
    }),
  }
}

async function openAndRead(
  driver: Driver,
  ids: readonly string[],
  { listen, clock, signal }: { listen: boolean; clock: Clock; signal: AbortSignal },
): Promise<readonly Reading[]> {
  await driver.open(signal)
  const listenUntil = clock.monotonic() + (listen ? LISTEN_MS : 0)
  let readings = await driver.read(ids, { urgent: true })
  while (clock.monotonic() < listenUntil && readings.some((reading) => 'error' in reading)) {
    await sleep(clock, LISTEN_AGAIN_MS, signal)
    readings = await driver.read(ids)
  }
  return readings
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => reject(new Error(`gave no answer within ${LIMIT_MS / 1000} s`))
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** As exact as JSON can tell it. */
function shown(raw: Raw): number | string {
  return typeof raw === 'number' || Number.isSafeInteger(Number(raw)) ? Number(raw) : String(raw)
}
