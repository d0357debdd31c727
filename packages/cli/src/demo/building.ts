import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { AdminClient } from '@plantroom/client/admin'
import { ApiError } from '@plantroom/client/http'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import type { Connection } from '@plantroom/contract/datapoint'
import { readCommissioningFile } from '../commissioning-file.ts'
import type { DemoFile } from './demo-file.ts'

const DEVICE_OFFLINE = 502
const PATIENCE_MS = 20_000
const RETRY_MS = 100

/** Loads the simulated building's files onto the device, as soon as that is online; returns what is on it then. */
export async function commissionBuilding(options: {
  admin: AdminClient
  clock: Clock
  signal: AbortSignal
  orgId: string
  deviceId: string
  modbus: { host: string; port: number }
  folder: string
}): Promise<DemoFile['connections']> {
  const { admin, orgId, deviceId, folder } = options
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort()
  for (const name of names) {
    const file = atAddress(await readCommissioningFile(join(folder, name)), options.modbus)
    await whenOnline(options, () => admin.commission(orgId, deviceId, file))
  }
  const systems = await admin.technicalSystems(orgId, deviceId)
  return systems
    .flatMap((system) => system.connections)
    .map((connection) => ({ ...connection, endpoint: endpointOf(connection) }))
}

function atAddress(file: CommissioningFile, modbus: { host: string; port: number }): CommissioningFile {
  return {
    ...file,
    connections: file.connections.map((connection) =>
      connection.protocol === 'modbus-tcp'
        ? { ...connection, settings: { ...connection.settings, host: modbus.host, port: modbus.port } }
        : connection,
    ),
  }
}

async function whenOnline(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  action: () => Promise<unknown>,
): Promise<void> {
  const giveUpAt = clock.monotonic() + PATIENCE_MS
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

function endpointOf({ settings }: Connection): string {
  return `${settings.host}:${settings.port}`
}
