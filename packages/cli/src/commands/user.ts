import { administration } from '../clients.ts'
import { COMMON_FLAGS } from '../command.ts'
import { command, verb } from '../declare.ts'
import { newPassword } from '../new-password.ts'
import { print } from '../output.ts'
import { memberOf } from './member/find-member.ts'

export const user = command('user', {
  group: 'administer',
  about: 'add administrators, and help those who lost a second factor',
  verbs: {
    add: verb({
      about: 'add an administrator to an organization and print a new password, which is shown only once',
      arguments: [{ name: 'EMAIL' }],
      options: COMMON_FLAGS,
      json: '{id, email, password}',
      async run(flags, { EMAIL }) {
        const { client, orgId } = await administration(flags)
        const password = newPassword()
        const added = await client.addUser({ orgId, body: { email: EMAIL, password } })
        const text = `user ${added.email}\npassword ${password}\nThis password is shown only once.`
        print(flags.json, { ...added, password }, () => text)
      },
    }),
    'reset-factors': verb({
      about:
        'remove every second factor of a member who lost them, and end their sessions; their password alone is enough then',
      arguments: [{ name: 'EMAIL' }],
      options: COMMON_FLAGS,
      json: '{userId, email}',
      async run(flags, { EMAIL }) {
        const { client, orgId } = await administration(flags)
        const { email, userId } = await memberOf(client, orgId, EMAIL)
        await client.resetMemberFactors({ orgId, userId })
        print(flags.json, { userId, email }, () => `removed the second factors of ${email}; their sessions have ended`)
      },
    }),
  },
})
