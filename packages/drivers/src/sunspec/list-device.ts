import type { DriverListener } from '../driver.ts'
import { refuseProblems } from '../fields.ts'
import type { Lines } from '../modbus/lines.ts'
import { unlessAborted } from '../modbus/unless-aborted.ts'
import { parseConfig } from './config.ts'
import type { SunspecLines } from './driver.ts'
import { type DeviceListing, listModels } from './list.ts'
import { newMemory, registersOf } from './registers.ts'
import { BASES } from './walk.ts'

/**
 * Lists the models and points of the device that these settings of a connection address. Reads only. Shares the line with
 * the connections to the same address. Rejects when nothing answers, and with `invalid` for wrong settings.
 */
export function listDevice(
  { tcp, serial }: SunspecLines,
  settings: Record<string, unknown>,
  options: { signal: AbortSignal; listener?: DriverListener },
): Promise<DeviceListing | { error: string }> {
  return settings.path === undefined ? listOn(tcp, settings, options) : listOn(serial, settings, options)
}

async function listOn<Address>(
  lines: Lines<Address>,
  record: Record<string, unknown>,
  { signal, listener }: { signal: AbortSignal; listener?: DriverListener },
): Promise<DeviceListing | { error: string }> {
  const { config, problems } = parseConfig({ settings: record, datapoints: [] }, lines.medium)
  refuseProblems(problems)
  const { address, settings, baseAddress } = config
  const session = lines.join(address, { unitId: settings.unitId, timing: settings, listener })
  const leave = () => session.leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    await unlessAborted(session.connect(), signal)
    return await listModels(registersOf(session, newMemory()), baseAddress === undefined ? BASES : [baseAddress])
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}
