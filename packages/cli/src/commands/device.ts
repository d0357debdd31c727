import type { Client } from '@plantroom/client/client'
import type { Device } from '@plantroom/contract/api'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, flag, required, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { listDevices } from '../names.ts'
import { details, print, printable, table } from '../output.ts'
import { askForYes, confirmOf } from './confirm.ts'
import { describeReplacement, whatToDo } from './device-replacement.ts'
import { testVerb } from './device-test.ts'

const DEVICE = { name: 'DEVICE', about: 'by id or name', completes: 'device' } as const

export const device = command('device', {
  group: 'administer',
  about: 'manage controllers and their broker secrets',
  verbs: {
    add: verb({
      about: 'add a device and print its settings; the secret is shown only once',
      arguments: [{ name: 'NAME' }],
      synopsis: '--site SITE',
      options: { ...COMMON_FLAGS, site: valued('SITE', 'its site, by id or name', { completes: 'site' }) },
      json: '{id, name, siteId, secret, brokerUrl}',
      async run(flags, { NAME }) {
        const site = required(flags.site, '--site ID')
        const { client, orgId, siteId } = await administration(flags)
        const added = await client.addDevice({ orgId, body: { name: NAME, siteId: await siteId(site) } })
        print(flags.json, added, () => settings(added))
      },
    }),
    list: verb({
      about: 'list devices and whether they are online',
      options: COMMON_FLAGS,
      json: '[{id, name, siteId, siteName, online, software, createdAt}]',
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const devices = await devicesWithSites(client, orgId)
        const rows = devices.map(({ id, name, siteName, online, software }) => {
          return [id, name, siteName, onlineText(online), describeSoftware(software)]
        })
        const none = 'no devices yet: plantroom device add NAME --site ID'
        print(flags.json, devices, () => table(['ID', 'NAME', 'SITE', 'STATE', 'VERSION'], rows, none))
      },
    }),
    show: verb({
      about: 'show one device: its site, whether it is online, and what is commissioned on it',
      arguments: [DEVICE],
      options: COMMON_FLAGS,
      json: '{id, name, siteId, siteName, online, software, createdAt, technicalSystems: [{id, name, connections, datapoints}]}',
      async run(flags, { DEVICE }) {
        const { client, orgId, deviceId: idOf } = await administration(flags)
        const deviceId = await idOf(DEVICE)
        const found = (await devicesWithSites(client, orgId)).find(({ id }) => id === deviceId)
        if (!found) throw new UsageError(`this organization has no device ${printable(DEVICE)}`)
        const { technicalSystems } = await client.listTechnicalSystems({ orgId, deviceId })
        const shown = { ...found, technicalSystems: technicalSystems.map(countsOf) }
        print(flags.json, shown, () => {
          const systems = shown.technicalSystems.map(({ name, connections, datapoints }) => {
            return `${name} (connections: ${connections}, datapoints: ${datapoints})`
          })
          return details([
            ['ID', shown.id],
            ['Name', shown.name],
            ['Site', `${shown.siteName} (${shown.siteId})`],
            ['State', onlineText(shown.online)],
            ['Version', describeSoftware(shown.software) || '-'],
            ['Added', shown.createdAt],
            ['Commissioned', systems.join(', ') || 'nothing'],
          ])
        })
      },
    }),
    record: verb({
      about: 'print the signed record of a commissioning: what is loaded, by whom, each test, open warnings',
      arguments: [DEVICE],
      options: COMMON_FLAGS,
      json: '{record, hash, signed: {key, signature}}',
      async run(flags, { DEVICE }) {
        const { client, orgId, deviceId } = await administration(flags)
        const signed = await client.getCommissioningRecord({ orgId, deviceId: await deviceId(DEVICE) })
        print(flags.json, signed, () => JSON.stringify(signed, null, 2))
      },
    }),
    rename: verb({
      about: 'rename a device; its id, its secret and its history stay',
      arguments: [DEVICE, { name: 'NAME', about: 'the new name' }],
      options: COMMON_FLAGS,
      json: '{id, name, siteId}',
      async run(flags, { DEVICE, NAME }) {
        const { client, orgId, deviceId } = await administration(flags)
        const renamed = await client.updateDevice({ orgId, deviceId: await deviceId(DEVICE), body: { name: NAME } })
        print(flags.json, renamed, () => printable(`device ${renamed.id}: ${renamed.name}`))
      },
    }),
    credential: verb({
      about: 'give a device a new secret; the old one stops working immediately',
      arguments: [DEVICE],
      options: COMMON_FLAGS,
      json: '{id, secret, brokerUrl}',
      async run(flags, { DEVICE }) {
        const { client, orgId, deviceId } = await administration(flags)
        const renewed = await client.renewDeviceCredential({ orgId, deviceId: await deviceId(DEVICE) })
        print(flags.json, renewed, () => settings(renewed))
      },
    }),
    test: testVerb,
    replace: verb({
      about:
        'replace the hardware of a device: it keeps its id, and at its first contact gets what was commissioned and held',
      arguments: [DEVICE],
      options: {
        ...COMMON_FLAGS,
        check: { type: 'boolean', about: 'show what the new hardware would get, and change nothing' },
        online: { type: 'boolean', about: 'replace it even while the old hardware is online' },
      },
      json: '{id, secret, brokerUrl, replacement}',
      async run(flags, { DEVICE }) {
        const { client, orgId, deviceId: idOf } = await administration(flags)
        const deviceId = await idOf(DEVICE)
        if (flags.check) {
          const replacement = await client.getReplacement({ orgId, deviceId })
          print(flags.json, replacement, () => describeReplacement(replacement))
          return
        }
        const replaced = await client.replaceDevice({ orgId, deviceId, body: { evenIfOnline: flags.online === true } })
        print(flags.json, replaced, () => {
          return `${describeReplacement(replaced.replacement)}\n\n${whatToDo(settings(replaced))}`
        })
      },
    }),
    remove: verb({
      about: 'remove a device and disconnect it immediately; refused while it holds something',
      arguments: [DEVICE],
      options: { ...COMMON_FLAGS, yes: flag('remove it even while it holds something') },
      json: '{id, removed}',
      async run(flags, { DEVICE }) {
        const { client, orgId, deviceId: idOf } = await administration(flags)
        const deviceId = await idOf(DEVICE)
        await client.removeDevice({ orgId, deviceId, query: confirmOf(flags) }).catch(askForYes)
        print(flags.json, { id: deviceId, removed: true }, () => `device ${deviceId} removed`)
      },
    }),
  },
})

/** Lists all devices, with the names of their sites. */
async function devicesWithSites(client: Client, orgId: string): Promise<(Device & { siteName: string })[]> {
  const devices = await listDevices(client, orgId)
  const { sites } = await client.listSites({ orgId })
  const names = new Map(sites.map(({ id, name }) => [id, name]))
  return devices.map((each) => ({ ...each, siteName: names.get(each.siteId) ?? each.siteId }))
}

const countsOf = ({ id, name, connections }: TechnicalSystem) => ({
  id,
  name,
  connections: connections.length,
  datapoints: connections.reduce((sum, { datapoints }) => sum + datapoints.length, 0),
})

const onlineText = (online: boolean) => (online ? 'online' : 'offline')

function describeSoftware(software: Device['software']): string {
  if (!software) return ''
  const { version, fits } = software
  const name = version === '' ? 'unknown' : version
  if (fits === 'yes') return name
  return fits === 'too-old' ? `${name}, too old: update it` : `${name}, too new: update the service`
}

/** What an installer enters on the controller. */
function settings({ id, secret, brokerUrl }: { id: string; secret: string; brokerUrl: string }): string {
  return `MQTT_URL=${brokerUrl}\nPLANTROOM_DEVICE_ID=${id}\nPLANTROOM_DEVICE_SECRET=${secret}`
}
