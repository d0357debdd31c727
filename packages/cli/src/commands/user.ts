import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals } from '../command.ts'
import { newPassword } from '../new-password.ts'
import { print } from '../output.ts'

export const user: Command = {
  usage: `plantroom user add EMAIL [--org ID]     add an administrator to an organization
                                        prints a new password, which is shown only once
plantroom user reset-factors EMAIL [--org ID]
                                        remove every second factor of a member who lost them, and end
                                        their sessions; they sign in with their password alone`,
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
    async 'reset-factors'(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { EMAIL } = positionals(given, 'EMAIL')
      const { client, config } = operatorClient(values)
      const orgId = organizationOf(config)
      const { members } = await client.listMembers({ orgId })
      const member = members.find(({ email }) => email === EMAIL.toLowerCase())
      if (!member) throw new Error(`${EMAIL} is not a member of ${orgId}: choose their organization with --org ID`)
      const { email, userId } = member
      await client.resetMemberFactors({ orgId, userId })
      print(values.json, { userId, email }, () => `removed the second factors of ${email}; their sessions have ended`)
    },
  }),
}
