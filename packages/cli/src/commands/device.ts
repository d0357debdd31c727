import type { Device } from '@plantroom/contract/api'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, required, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { listDevices } from '../names.ts'
import { print, table } from '../output.ts'
import { describeReplacement, whatToDo } from './device-replacement.ts'

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
        print(flags.json, added, () => settings(added.id, added.secret))
      },
    }),
    list: verb({
      about: 'list devices and whether they are online',
      options: COMMON_FLAGS,
      json: '[{id, name, siteId, online, software, createdAt}]',
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const devices = await listDevices(client, orgId)
        const rows = devices.map(({ id, name, siteId, online, software }) => {
          return [id, name, siteId, online ? 'online' : 'offline', describeSoftware(software)]
        })
        const none = 'no devices yet: plantroom device add NAME --site ID'
        print(flags.json, devices, () => table(['ID', 'NAME', 'SITE', 'STATE', 'VERSION'], rows, none))
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
        print(flags.json, renewed, () => settings(renewed.id, renewed.secret))
      },
    }),
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
          return `${describeReplacement(replaced.replacement)}\n\n${whatToDo(settings(replaced.id, replaced.secret))}`
        })
      },
    }),
    remove: verb({
      about: 'remove a device and disconnect it immediately',
      arguments: [DEVICE],
      options: COMMON_FLAGS,
      json: '{id, removed}',
      async run(flags, { DEVICE }) {
        const { client, orgId, deviceId } = await administration(flags)
        const id = await deviceId(DEVICE)
        await client.removeDevice({ orgId, deviceId: id })
        print(flags.json, { id, removed: true }, () => `device ${id} removed`)
      },
    }),
  },
})

function describeSoftware(software: Device['software']): string {
  if (!software) return ''
  const { version, fits } = software
  const name = version === '' ? 'unknown' : version
  if (fits === 'yes') return name
  return fits === 'too-old' ? `${name}, too old: update it` : `${name}, too new: update the service`
}

function settings(id: string, secret: string): string {
  return `PLANTROOM_DEVICE_ID=${id}\nPLANTROOM_DEVICE_SECRET=${secret}`
}
