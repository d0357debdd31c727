import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals } from '../command.ts'
import { newPassword } from '../new-password.ts'
import { print } from '../output.ts'

export const user: Command = {
  usage: `plantroom user add EMAIL [--org ID]     add an administrator to an organization
                                        prints a new password, which is shown only once`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { EMAIL } = positionals(given, 'EMAIL')
      const { client, config } = operatorClient(values)
      const password = newPassword()
      const added = await client.addUser({ orgId: organizationOf(config), body: { email: EMAIL, password } })
      const text = `user ${added.email}\npassword ${password}\nThis password is shown only once.`
      print(values.json, { ...added, password }, () => text)
    },
  }),
}
