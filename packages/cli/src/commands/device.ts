import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, required } from '../command.ts'
import { print, table } from '../output.ts'

export const device: Command = {
  usage: `plantroom device add NAME --site ID     add a device and print its settings; the secret is shown only once
plantroom device list                   list devices and whether they are online
plantroom device credential ID          give a device a new secret; the old one stops working immediately
plantroom device remove ID              remove a device and disconnect it immediately`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, { ...COMMON_FLAGS, site: { type: 'string' } })
      const { NAME } = positionals(given, 'NAME')
      const siteId = required(values.site, '--site ID')
      const { admin, config } = operatorClient(values)
      const added = await admin.addDevice(organizationOf(config), siteId, NAME)
      print(values.json, added, () => settings(added.id, added.secret))
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { admin, config } = operatorClient(values)
      const found = await admin.devices(organizationOf(config))
      const rows = found.map(({ id, name, siteId, online }) => [id, name, siteId, online ? 'online' : 'offline'])
      const none = 'no devices yet: plantroom device add NAME --site ID'
      print(values.json, found, () => table(['ID', 'NAME', 'SITE', 'STATE'], rows, none))
    },
    async credential(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { ID } = positionals(given, 'ID')
      const { admin, config } = operatorClient(values)
      const renewed = await admin.renewCredential(organizationOf(config), ID)
      print(values.json, renewed, () => settings(renewed.id, renewed.secret))
    },
    async remove(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { ID } = positionals(given, 'ID')
      const { admin, config } = operatorClient(values)
      await admin.removeDevice(organizationOf(config), ID)
      print(values.json, { id: ID, removed: true }, () => `device ${ID} removed`)
    },
  }),
}

function settings(id: string, secret: string): string {
  return `PLANTROOM_DEVICE_ID=${id}\nPLANTROOM_DEVICE_SECRET=${secret}`
}
