import { administration, DEVICE_FLAGS, deviceClient, operatorClient } from '../../clients.ts'
import { flag, UsageError } from '../../command.ts'
import { type CliConfig, type Flags, readConfig } from '../../config.ts'
import { verb } from '../../declare.ts'
import { createDirectory, type Directory } from '../../directory.ts'
import { listDevices, type Named } from '../../names.ts'
import { note, print, printable } from '../../output.ts'
import { readEveryDevice } from '../hold/every-device.ts'
import { readState } from '../hold/live-state.ts'
import { formatDuration } from './override-window.ts'
import { type ListedOverride, listOverrides, overridesTable } from './placed-overrides.ts'

export const list = verb({
  about: 'list overrides that are active or queued: with an API key its own, with the admin token those of all callers',
  options: {
    ...DEVICE_FLAGS,
    all: flag('of every device of the organization, as without a device; needs the admin token'),
  },
  json: '[{id, deviceId, device, datapointId, datapoint, value, unit, state, from, to, placedBy, live}]',
  async run(flags) {
    if (flags.all && flags.device !== undefined) throw new UsageError('give only one: --all or --device DEVICE')
    const { apiKey, deviceId } = readConfig(flags)
    const isOfAll = flags.all || (!apiKey && deviceId === undefined)
    const overrides = isOfAll ? await ofOrganization(flags) : await ofDevice(flags)
    print(flags.json, overrides, () => overridesTable(overrides))
  },
})

async function ofDevice(flags: Flags): Promise<ListedOverride[]> {
  const { config, secret, orgId, deviceId, directory } = await deviceClient(flags)
  const device = { id: deviceId, name: await nameOf(flags, orgId, deviceId) }
  return readOverrides({ config, secret, orgId, directory, json: flags.json }, device)
}

/** Returns the name of a device, or its id: an API key cannot look up names. */
async function nameOf(flags: Flags, orgId: string, deviceId: string): Promise<string> {
  if (!readConfig(flags).adminToken) return deviceId
  const devices = await listDevices(operatorClient(flags).client, orgId)
  return devices.find(({ id }) => id === deviceId)?.name ?? deviceId
}

async function ofOrganization(flags: Flags): Promise<ListedOverride[]> {
  const { client, config, orgId } = await administration(flags)
  const found = await readEveryDevice(await listDevices(client, orgId), flags.json, (device) => {
    const directory = createDirectory({ client, operator: client, orgId })
    return readOverrides({ config, secret: 'token', orgId, directory, json: flags.json }, device)
  })
  return found.flat()
}

interface Source {
  config: CliConfig
  secret: 'key' | 'token'
  orgId: string
  directory: Directory
  json?: boolean | undefined
}

/** Reads the overrides of one device, and notes what they may lack. */
export async function readOverrides(source: Source, device: Named): Promise<ListedOverride[]> {
  const { config, secret, orgId, directory, json } = source
  await directory.learn([device.id])
  const { state, silence } = await readState(config, secret, { orgId, deviceId: device.id })
  if (silence) {
    const age = formatDuration(silence.ageMs)
    note(json, `${printable(device.name)} does not answer, and this is its last known state, ${age} old`)
  }
  if (state.overridesLeftOut !== undefined) {
    note(json, `${printable(device.name)} has more overrides than it lists; reports show all of them`)
  }
  const known = { live: silence === undefined, names: directory.datapointNames(), units: directory.units() }
  return listOverrides(state, { ...device, ...known })
}
