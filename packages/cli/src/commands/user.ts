import { administration, operatorClient } from '../clients.ts'
import { COMMON_FLAGS } from '../command.ts'
import type { Flags } from '../config.ts'
import { command, verb } from '../declare.ts'
import { createNames } from '../names.ts'
import { newPassword } from '../new-password.ts'
import { print } from '../output.ts'
import { memberOf } from './member/find-member.ts'
import { findUser, type ListedUser, listUsers, usersTable } from './user-list.ts'

const SHAPE = '{id, email, lastSeenAt, organizations: [{id, name, role, invited}]}'

/** The people of the organization that the settings name, or of all. */
async function usersOf(flags: Flags): Promise<ListedUser[]> {
  const { client, config } = operatorClient(flags)
  const { organizations } = await client.listOrganizations()
  const orgId = config.orgId === undefined ? undefined : await createNames(client).organization(config.orgId)
  return listUsers(
    client,
    organizations.filter(({ id }) => orgId === undefined || id === orgId),
  )
}

export const user = command('user', {
  group: 'administer',
  about: 'list the people who sign in, add administrators, and help those who lost a second factor',
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
    list: verb({
      about: 'list the people who can sign in or are invited, of one organization or of all',
      options: COMMON_FLAGS,
      json: `[${SHAPE}]`,
      async run(flags) {
        const users = await usersOf(flags)
        print(flags.json, users, () => usersTable(users))
      },
    }),
    show: verb({
      about: 'show where a person belongs, and when the service saw them last',
      arguments: [{ name: 'EMAIL', about: 'or the id', completes: 'member' }],
      options: COMMON_FLAGS,
      json: SHAPE,
      async run(flags, { EMAIL }) {
        const found = findUser(await usersOf(flags), EMAIL)
        print(flags.json, found, () => usersTable([found]))
      },
    }),
    'reset-factors': verb({
      about:
        'remove every second factor of a member who lost them, and end their sessions; their password alone is enough then',
      arguments: [{ name: 'EMAIL', completes: 'member' }],
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
