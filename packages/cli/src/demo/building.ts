import { join } from 'node:path'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import type { CommissionedConnection, CommissioningFile } from '@plantroom/contract/commissioning'
import type { Connection } from '@plantroom/contract/datapoint'
import type { Protocol } from '@plantroom/contract/protocols'
import { readCommissioningFile } from '../commissioning-file.ts'
import type { DemoFile } from './demo-file.ts'
import type { SimulatorReady } from './simulator.ts'

/** In the order of the tour. */
export const FILES = ['battery-room.yaml', 'heat-pump.yaml', 'air-handling.yaml']

const DEVICE_OFFLINE = 502
/** For example, because the equipment moved while it is held. */
const DEVICE_REJECTED = 499
const ONLINE_TIMEOUT_MS = 20_000
const RETRY_MS = 100

/** Loads the files of the simulated building as soon as the device is online. Returns the resulting connections. */
export async function commissionBuilding(options: {
  operator: Client
  clock: Clock
  signal: AbortSignal
  orgId: string
  deviceId: string
  equipment: SimulatorReady
  folder: string
}): Promise<DemoFile['connections']> {
  const { operator, orgId, deviceId, folder } = options
  for (const name of FILES) {
    const file = withEndpoints(await readCommissioningFile(join(folder, name)), options.equipment)
    await whenOnline(options, () => operator.commission({ orgId, deviceId, body: file })).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== DEVICE_REJECTED) throw error
      const remedy = 'Or end the program that uses the old port of the equipment, or set PLANTROOM_DATA to a new folder'
      throw new Error(`${error.message}. ${remedy}`, { cause: error })
    })
  }
  const { technicalSystems } = await operator.listTechnicalSystems({ orgId, deviceId })
  return technicalSystems
    .flatMap((system) => system.connections)
    .map((connection) => ({ ...connection, endpoint: endpointOf(connection) }))
}

/** Returns the file with connections that point to the simulated equipment. */
export function withEndpoints(file: CommissioningFile, { modbus, mqtt, obix }: SimulatorReady): CommissioningFile {
  const places: Readonly<Partial<Record<Protocol, object>>> = {
    'modbus-tcp': { host: modbus.host, port: modbus.port },
    mqtt: { url: mqtt.url },
    obix: { url: obix.url },
  }
  const atPlace = (connection: CommissionedConnection) => ({
    ...connection,
    settings: { ...connection.settings, ...places[connection.protocol] },
  })
  return { ...file, connections: file.connections.map(atPlace) }
}

async function whenOnline(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  action: () => Promise<unknown>,
): Promise<void> {
  const giveUpAt = clock.monotonic() + ONLINE_TIMEOUT_MS
  for (;;) {
    try {
      return void (await action())
    } catch (error) {
      const offline = error instanceof ApiError && error.status === DEVICE_OFFLINE
      if (!offline || clock.monotonic() > giveUpAt) throw error
      await sleep(clock, RETRY_MS, signal)
      signal.throwIfAborted()
    }
  }
}

export function endpointOf({ protocol, settings }: Pick<Connection, 'protocol' | 'settings'>): string {
  return protocol === 'modbus-tcp' ? `${settings.host}:${settings.port}` : String(settings.url)
}
