import { COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'
import { asOperator } from './context.ts'

export const org: Command = {
  usage: `plantroom org add NAME      add an organization
plantroom org list          list organizations`,
  async run([verb, ...args]) {
    const { values, positionals: given } = parse(args, COMMON_FLAGS)
    const { admin } = asOperator(values)
    if (verb === 'add') {
      const { NAME } = positionals(given, 'NAME')
      const added = await admin.addOrganization(NAME)
      return print(values.json, added, () => `organization ${added.id}`)
    }
    if (verb === 'list') {
      positionals(given)
      const found = await admin.organizations()
      return print(values.json, found, () =>
        table(
          ['ID', 'NAME'],
          found.map(({ id, name }) => [id, name]),
          'no organizations yet: plantroom org add NAME',
        ),
      )
    }
    throw new UsageError('say add or list')
  },
}
