import { byVerb, COMMON_FLAGS, type Command, parse, positionals } from '../command.ts'
import { print, table } from '../output.ts'
import { asOperator, organizationOf } from './context.ts'

export const site: Command = {
  usage: `plantroom site add NAME [--org ID]      add a site to an organization
plantroom site list [--org ID]          list its sites`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { NAME } = positionals(given, 'NAME')
      const { admin, config } = asOperator(values)
      const added = await admin.addSite(organizationOf(config), NAME)
      print(values.json, added, () => `site ${added.id}`)
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { admin, config } = asOperator(values)
      const found = await admin.sites(organizationOf(config))
      const rows = found.map(({ id, name }) => [id, name])
      print(values.json, found, () => table(['ID', 'NAME'], rows, 'no sites yet: plantroom site add NAME'))
    },
  }),
}
