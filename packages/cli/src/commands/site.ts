import { administration } from '../clients.ts'
import { COMMON_FLAGS, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { print, table } from '../output.ts'

const ON_OR_OFF = ['on', 'off'] as const
const SETTINGS = {
  ...COMMON_FLAGS,
  'time-zone': valued('ZONE', 'a name like Europe/Tallinn; UTC by default'),
  'maintenance-requests': valued('on|off', 'off by default', { choices: ON_OR_OFF }),
} as const
const SHAPE = '{id, name, timeZone, maintenanceRequests, createdAt}'

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
      arguments: [{ name: 'SITE', about: 'by id or name', completes: 'site' }],
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
    list: verb({
      about: 'list the sites of an organization',
      options: COMMON_FLAGS,
      json: `[${SHAPE}]`,
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const { sites } = await client.listSites({ orgId })
        const rows = sites.map((site) => [site.id, site.name, site.timeZone, onOrOff(site.maintenanceRequests)])
        const header = ['ID', 'NAME', 'TIME ZONE', 'MAINTENANCE REQUESTS']
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
