import { COMMON_FLAGS, type Command, parse, positionals, required, UsageError } from '../command.ts'
import { print, table } from '../output.ts'
import { asOperator, organizationOf } from './context.ts'

export const device: Command = {
  usage: `plantroom device add NAME --site ID     add a device; prints its settings, the secret only this once
plantroom device list                   list devices, with whether they are online
plantroom device credential ID          give a device a new secret; the old one ends at once
plantroom device remove ID              remove a device; it is disconnected at once`,
  async run([verb, ...args]) {
    const { values, positionals: given } = parse(args, { ...COMMON_FLAGS, site: { type: 'string' } })
    const { admin, config } = asOperator(values)
    const orgId = organizationOf(config)
    if (verb === 'add') {
      const { NAME } = positionals(given, 'NAME')
      const added = await admin.addDevice(orgId, required(values.site, '--site ID'), NAME)
      return print(values.json, added, () => settings(added.id, added.secret))
    }
    if (verb === 'list') {
      positionals(given)
      const found = await admin.devices(orgId)
      const rows = found.map(({ id, name, siteId, online }) => [id, name, siteId, online ? 'online' : 'offline'])
      return print(values.json, found, () =>
        table(['ID', 'NAME', 'SITE', 'STATE'], rows, 'no devices yet: plantroom device add NAME --site ID'),
      )
    }
    if (verb === 'credential') {
      const { ID } = positionals(given, 'ID')
      const renewed = await admin.renewCredential(orgId, ID)
      return print(values.json, renewed, () => settings(renewed.id, renewed.secret))
    }
    if (verb === 'remove') {
      const { ID } = positionals(given, 'ID')
      await admin.removeDevice(orgId, ID)
      return print(values.json, { id: ID, removed: true }, () => `device ${ID} is removed`)
    }
    throw new UsageError('say add, list, credential or remove')
  },
}

function settings(id: string, secret: string): string {
  return `PLANTROOM_DEVICE_ID=${id}\nPLANTROOM_DEVICE_SECRET=${secret}`
}
