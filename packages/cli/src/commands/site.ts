import { byVerb, COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'
import { asOperator, organizationOf } from './context.ts'

const SITE_FLAGS = { ...COMMON_FLAGS, 'time-zone': { type: 'string' } } as const

export const site: Command = {
  usage: `plantroom site add NAME [--time-zone ZONE] [--org ID]
                                        add a site to an organization; ZONE such as Europe/Tallinn, UTC without
plantroom site update ID [--name NAME] [--time-zone ZONE] [--org ID]
                                        change its name or its time zone
plantroom site list [--org ID]          list its sites`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, SITE_FLAGS)
      const { NAME } = positionals(given, 'NAME')
      const { admin, config } = asOperator(values)
      const added = await admin.addSite(organizationOf(config), NAME, values['time-zone'])
      print(values.json, added, () => `site ${added.id}`)
    },
    async update(args) {
      const { values, positionals: given } = parse(args, { ...SITE_FLAGS, name: { type: 'string' } })
      const { ID } = positionals(given, 'ID')
      const { name, 'time-zone': timeZone } = values
      if (name === undefined && timeZone === undefined)
        throw new UsageError('--name NAME or --time-zone ZONE is missing')
      const { admin, config } = asOperator(values)
      const updated = await admin.updateSite(organizationOf(config), ID, {
        ...(name !== undefined && { name }),
        ...(timeZone !== undefined && { timeZone }),
      })
      const { id, note } = updated
      print(values.json, updated, () => `site ${id}: ${updated.name}, ${updated.timeZone}${note ? `\n${note}` : ''}`)
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { admin, config } = asOperator(values)
      const found = await admin.sites(organizationOf(config))
      const rows = found.map(({ id, name, timeZone }) => [id, name, timeZone])
      print(values.json, found, () => table(['ID', 'NAME', 'TIME ZONE'], rows, 'no sites yet: plantroom site add NAME'))
    },
  }),
}
