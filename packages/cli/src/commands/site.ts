import { administration } from '../clients.ts'
import { COMMON_FLAGS, repeated, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { listDevices } from '../names.ts'
import { details, print, printable, table } from '../output.ts'
import { askForYes, confirmOf, YES } from './confirm.ts'

const SITE = { name: 'SITE', about: 'by id or name', completes: 'site' } as const
const ON_OR_OFF = ['on', 'off'] as const
const SETTINGS = {
  ...COMMON_FLAGS,
  'time-zone': valued('ZONE', 'a name like Europe/Tallinn; UTC by default'),
  'maintenance-requests': valued('on|off', 'off by default', { choices: ON_OR_OFF }),
} as const
const SHAPE = '{id, name, timeZone, maintenanceRequests, tags, createdAt}'

export const site = command('site', {
  group: 'administer',
  about: 'manage the sites of an organization',
  verbs: {
    add: verb({
      about: 'add a site to an organization',
      arguments: [{ name: 'NAME' }],
      options: SETTINGS,
      json: SHAPE,
      async run(flags, { NAME }) {
        const { client, orgId } = await administration(flags)
        const added = await client.addSite({ orgId, body: { name: NAME, ...changesOf(flags) } })
        print(flags.json, added, () => `site ${added.id}`)
      },
    }),
    update: verb({
      about: 'change the name or time zone, turn Maintenance Requests on or off',
      arguments: [SITE],
      options: { ...SETTINGS, name: valued('NAME', 'the new name') },
      json: `${SHAPE}, and note if something is left to do`,
      async run(flags, { SITE }) {
        const changes = { ...(flags.name !== undefined && { name: flags.name }), ...changesOf(flags) }
        if (Object.keys(changes).length === 0)
          throw new UsageError('nothing to change: give --name NAME, --time-zone ZONE or --maintenance-requests on|off')
        const { client, orgId, siteId } = await administration(flags)
        const updated = await client.updateSite({ orgId, siteId: await siteId(SITE), body: changes })
        const { id, note } = updated
        print(
          flags.json,
          updated,
          () =>
            `site ${id}: ${updated.name}, ${updated.timeZone}, Maintenance Requests ${onOrOff(updated.maintenanceRequests)}${note ? `\n${note}` : ''}`,
        )
      },
    }),
    rename: verb({
      about: 'rename a site',
      arguments: [SITE, { name: 'NAME', about: 'the new name' }],
      options: COMMON_FLAGS,
      json: SHAPE,
      async run(flags, { SITE, NAME }) {
        const { client, orgId, siteId } = await administration(flags)
        const renamed = await client.updateSite({ orgId, siteId: await siteId(SITE), body: { name: NAME } })
        print(flags.json, renamed, () => printable(`site ${renamed.id}: ${renamed.name}`))
      },
    }),
    tag: verb({
      about: 'give tags to sites, or take them away; roles by tag follow immediately',
      arguments: [{ ...SITE, repeated: true }],
      options: {
        ...COMMON_FLAGS,
        add: repeated('TAG', 'give this tag; may be repeated'),
        remove: repeated('TAG', 'take this tag away; may be repeated'),
      },
      json: '[{id, name, tags}]',
      async run(flags, { SITE }) {
        const { add, remove } = flags
        if (!add && !remove) throw new UsageError('nothing to change: give --add TAG or --remove TAG')
        const { client, orgId, siteIds: idsOf } = await administration(flags)
        const siteIds = [...new Set(await idsOf(SITE))]
        const body = { siteIds, ...(add && { add }), ...(remove && { remove }) }
        const { sites } = await client.changeSiteTags({ orgId, body })
        const rows = sites.map(({ id, name, tags }) => [id, name, tags.join(', ')])
        print(flags.json, sites, () => table(['ID', 'NAME', 'TAGS'], rows, ''))
      },
    }),
    remove: verb({
      about: 'remove a site that has no devices, with its maintenance requests',
      arguments: [SITE],
      options: { ...COMMON_FLAGS, yes: YES },
      json: '{id, removed}',
      async run(flags, { SITE }) {
        const { client, orgId, siteId: idOf } = await administration(flags)
        const siteId = await idOf(SITE)
        await client.removeSite({ orgId, siteId, query: confirmOf(flags) }).catch(askForYes)
        print(flags.json, { id: siteId, removed: true }, () => `site ${siteId} removed`)
      },
    }),
    show: verb({
      about: 'show one site: its settings and its devices',
      arguments: [SITE],
      options: COMMON_FLAGS,
      json: `${SHAPE.slice(0, -1)}, devices: [{id, name, online}]}`,
      async run(flags, { SITE }) {
        const { client, orgId, siteId: idOf } = await administration(flags)
        const siteId = await idOf(SITE)
        const found = (await client.listSites({ orgId })).sites.find(({ id }) => id === siteId)
        if (!found) throw new UsageError(`this organization has no site ${printable(SITE)}`)
        const all = (await listDevices(client, orgId)).filter((device) => device.siteId === siteId)
        const devices = all.map(({ id, name, online }) => ({ id, name, online }))
        print(flags.json, { ...found, devices }, () =>
          details([
            ['ID', siteId],
            ['Name', found.name],
            ['Time zone', found.timeZone],
            ['Maintenance Requests', onOrOff(found.maintenanceRequests)],
            ['Tags', found.tags.join(', ') || 'none'],
            ['Added', found.createdAt],
            [
              'Devices',
              devices.map(({ name, online }) => `${name} (${online ? 'online' : 'offline'})`).join(', ') || 'none',
            ],
          ]),
        )
      },
    }),
    list: verb({
      about: 'list the sites of an organization',
      options: COMMON_FLAGS,
      json: `[${SHAPE}]`,
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const { sites } = await client.listSites({ orgId })
        const rows = sites.map((site) => [
          site.id,
          site.name,
          site.timeZone,
          onOrOff(site.maintenanceRequests),
          site.tags.join(', '),
        ])
        const header = ['ID', 'NAME', 'TIME ZONE', 'MAINTENANCE REQUESTS', 'TAGS']
        print(flags.json, sites, () => table(header, rows, 'no sites yet: plantroom site add NAME'))
      },
    }),
  },
})

function changesOf(values: { 'time-zone'?: string | undefined; 'maintenance-requests'?: string | undefined }) {
  const { 'time-zone': timeZone, 'maintenance-requests': requests } = values
  if (requests !== undefined && !['on', 'off'].includes(requests))
    throw new UsageError(`--maintenance-requests must be on or off, not ${requests}`)
  return {
    ...(timeZone !== undefined && { timeZone }),
    ...(requests !== undefined && { maintenanceRequests: requests === 'on' }),
  }
}

const onOrOff = (value: boolean) => (value ? 'on' : 'off')
