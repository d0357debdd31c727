import type { Clock } from '@plantroom/base/clock'
import { createTcpLines } from '../../modbus/driver.ts'
import { parseConfig } from '../config.ts'
import { type DeviceListing, listModels } from '../list.ts'
import { newMemory, registersOf } from '../registers.ts'

/** Lists the models and points of a device on a loopback port, as a scan does. */
export async function listOnSocket(port: number, clock: Clock): Promise<DeviceListing> {
  const lines = createTcpLines({ clock })
  const { config } = parseConfig({ settings: { host: '127.0.0.1', port }, datapoints: [] }, lines.medium)
  const { address, settings } = config
  const session = lines.join(address, { unitId: settings.unitId, timing: settings, listener: undefined })
  try {
    await session.connect()
    const listing = await listModels(registersOf(session, newMemory()))
    if ('error' in listing) throw new Error(listing.error)
    return listing
  } finally {
    session.leave()
  }
}
