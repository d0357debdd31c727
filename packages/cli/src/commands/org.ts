import { operatorClient } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals } from '../command.ts'
import { print, table } from '../output.ts'

export const org: Command = {
  usage: `plantroom org add NAME      add an organization
plantroom org list          list organizations`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { NAME } = positionals(given, 'NAME')
      const added = await operatorClient(values).client.addOrganization({ body: { name: NAME } })
      print(values.json, added, () => `organization ${added.id}`)
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { organizations } = await operatorClient(values).client.listOrganizations()
      const rows = organizations.map(({ id, name }) => [id, name])
      print(values.json, organizations, () =>
        table(['ID', 'NAME'], rows, 'no organizations yet: plantroom org add NAME'),
      )
    },
  }),
}
