import { operatorClient } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, required, UsageError } from '../command.ts'
import { print, table } from '../output.ts'

export const org: Command = {
  usage: `plantroom org add NAME      add an organization
plantroom org list          list organizations
plantroom org update ID --require-second-factor on|off
                            require a second factor of every member, or stop requiring it`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { NAME } = positionals(given, 'NAME')
      const added = await operatorClient(values).client.addOrganization({ body: { name: NAME } })
      print(values.json, added, () => `organization ${added.id}`)
    },
    async update(args) {
      const { values, positionals: given } = parse(args, {
        ...COMMON_FLAGS,
        'require-second-factor': { type: 'string' },
      })
      const { ID } = positionals(given, 'ID')
      const isRequired = required(values['require-second-factor'], '--require-second-factor on|off')
      if (!['on', 'off'].includes(isRequired)) {
        throw new UsageError(`--require-second-factor must be on or off, not ${isRequired}`)
      }
      const body = { requireSecondFactor: isRequired === 'on' }
      const updated = await operatorClient(values).client.updateOrganization({ orgId: ID, body })
      print(values.json, updated, () => `organization ${updated.id}: requires a second factor: ${isRequired}`)
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
