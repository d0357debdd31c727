import type { Device } from '@plantroom/contract/api'
import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, required } from '../command.ts'
import { listDevices } from '../directory.ts'
import { print, table } from '../output.ts'
import { describeReplacement, whatToDo } from './device-replacement.ts'

export const device: Command = {
  usage: `plantroom device add NAME --site ID     add a device and print its settings; the secret is shown only once
plantroom device list                   list devices and whether they are online
plantroom device credential ID          give a device a new secret; the old one stops working immediately
plantroom device replace ID [--check] [--online]
                                        replace the hardware of a device: it keeps its id, and at its first contact gets what
                                        was commissioned and held. --check shows that and changes nothing; --online allows it
                                        while the old hardware is online
plantroom device remove ID              remove a device and disconnect it immediately`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, { ...COMMON_FLAGS, site: { type: 'string' } })
      const { NAME } = positionals(given, 'NAME')
      const siteId = required(values.site, '--site ID')
      const { client, config } = operatorClient(values)
      const added = await client.addDevice({ orgId: organizationOf(config), body: { name: NAME, siteId } })
      print(values.json, added, () => settings(added.id, added.secret))
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { client, config } = operatorClient(values)
      const devices = await listDevices(client, organizationOf(config))
      const rows = devices.map(({ id, name, siteId, online, software }) => {
        return [id, name, siteId, online ? 'online' : 'offline', describeSoftware(software)]
      })
      const none = 'no devices yet: plantroom device add NAME --site ID'
      print(values.json, devices, () => table(['ID', 'NAME', 'SITE', 'STATE', 'VERSION'], rows, none))
    },
    async credential(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { ID } = positionals(given, 'ID')
      const { client, config } = operatorClient(values)
      const renewed = await client.renewDeviceCredential({ orgId: organizationOf(config), deviceId: ID })
      print(values.json, renewed, () => settings(renewed.id, renewed.secret))
    },
    async replace(args) {
      const flags = { ...COMMON_FLAGS, check: { type: 'boolean' }, online: { type: 'boolean' } } as const
      const { values, positionals: given } = parse(args, flags)
      const { ID: deviceId } = positionals(given, 'ID')
      const { client, config } = operatorClient(values)
      const orgId = organizationOf(config)
      if (values.check) {
        const replacement = await client.getReplacement({ orgId, deviceId })
        print(values.json, replacement, () => describeReplacement(replacement))
        return
      }
      const replaced = await client.replaceDevice({ orgId, deviceId, body: { evenIfOnline: values.online === true } })
      print(values.json, replaced, () => {
        return `${describeReplacement(replaced.replacement)}\n\n${whatToDo(settings(replaced.id, replaced.secret))}`
      })
    },
    async remove(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { ID } = positionals(given, 'ID')
      const { client, config } = operatorClient(values)
      await client.removeDevice({ orgId: organizationOf(config), deviceId: ID })
      print(values.json, { id: ID, removed: true }, () => `device ${ID} removed`)
    },
  }),
}

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
