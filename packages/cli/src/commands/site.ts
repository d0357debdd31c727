import { COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'
import { asOperator, organizationOf } from './context.ts'

export const site: Command = {
  usage: `plantroom site add NAME [--org ID]      add a site to an organization
plantroom site list [--org ID]          list its sites`,
  async run([verb, ...args]) {
    const { values, positionals: given } = parse(args, COMMON_FLAGS)
    const { admin, config } = asOperator(values)
    const orgId = organizationOf(config)
    if (verb === 'add') {
      const { NAME } = positionals(given, 'NAME')
      const added = await admin.addSite(orgId, NAME)
      return print(values.json, added, () => `site ${added.id}`)
    }
    if (verb === 'list') {
      positionals(given)
      const found = await admin.sites(orgId)
      return print(values.json, found, () =>
        table(
          ['ID', 'NAME'],
          found.map(({ id, name }) => [id, name]),
          'no sites yet: plantroom site add NAME',
        ),
      )
    }
    throw new UsageError('say add or list')
  },
}
