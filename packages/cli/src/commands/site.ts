import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'

const SITE_FLAGS = {
  ...COMMON_FLAGS,
  'time-zone': { type: 'string' },
  'maintenance-requests': { type: 'string' },
} as const

export const site: Command = {
  usage: `plantroom site add NAME [--time-zone ZONE] [--maintenance-requests on|off] [--org ID]
                                        add a site to an organization
                                        ZONE is a name like Europe/Tallinn (default UTC)
                                        Maintenance Requests are off by default
plantroom site update ID [--name NAME] [--time-zone ZONE] [--maintenance-requests on|off] [--org ID]
                                        change the name or time zone, turn Maintenance Requests on or off
plantroom site list [--org ID]          list the sites of an organization`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, SITE_FLAGS)
      const { NAME } = positionals(given, 'NAME')
      const { client, config } = operatorClient(values)
      const added = await client.addSite({ orgId: organizationOf(config), body: { name: NAME, ...changesOf(values) } })
      print(values.json, added, () => `site ${added.id}`)
    },
    async update(args) {
      const { values, positionals: given } = parse(args, { ...SITE_FLAGS, name: { type: 'string' } })
      const { ID } = positionals(given, 'ID')
      const changes = { ...(values.name !== undefined && { name: values.name }), ...changesOf(values) }
      if (Object.keys(changes).length === 0)
        throw new UsageError('nothing to change: give --name NAME, --time-zone ZONE or --maintenance-requests on|off')
      const { client, config } = operatorClient(values)
      const updated = await client.updateSite({ orgId: organizationOf(config), siteId: ID, body: changes })
      const { id, note } = updated
      print(
        values.json,
        updated,
        () =>
          `site ${id}: ${updated.name}, ${updated.timeZone}, Maintenance Requests ${onOrOff(updated.maintenanceRequests)}${note ? `\n${note}` : ''}`,
      )
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { client, config } = operatorClient(values)
      const { sites } = await client.listSites({ orgId: organizationOf(config) })
      const rows = sites.map((site) => [site.id, site.name, site.timeZone, onOrOff(site.maintenanceRequests)])
      const header = ['ID', 'NAME', 'TIME ZONE', 'MAINTENANCE REQUESTS']
      print(values.json, sites, () => table(header, rows, 'no sites yet: plantroom site add NAME'))
    },
  }),
}

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
