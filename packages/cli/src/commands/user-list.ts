import type { Client } from '@plantroom/client/client'
import type { Member } from '@plantroom/contract/roles'
import { UsageError } from '../command.ts'
import type { Named } from '../names.ts'
import { printable, table } from '../output.ts'
import { nearest, similarNames } from '../suggest.ts'

/** A person who can sign in or is invited, with the organizations. */
export interface ListedUser {
  id: string
  email: string
  lastSeenAt: string | null
  organizations: { id: string; name: string; role: 'admin' | 'member'; invited: boolean }[]
}

/** Lists the people of these organizations by address. A person of several organizations is listed once. */
export async function listUsers(
  client: Pick<Client, 'listMembers'>,
  organizations: readonly Named[],
): Promise<ListedUser[]> {
  const users = new Map<string, ListedUser>()
  for (const { id: orgId, name } of organizations) {
    const { members } = await client.listMembers({ orgId })
    for (const member of members) {
      const { userId: id, email, lastSeenAt } = member
      const user = users.get(id) ?? { id, email, lastSeenAt: null, organizations: [] }
      user.lastSeenAt = latest(user.lastSeenAt, lastSeenAt)
      user.organizations.push({ id: orgId, name, role: roleOf(member), invited: member.invited })
      users.set(id, user)
    }
  }
  return [...users.values()].toSorted((one, other) => (one.email < other.email ? -1 : 1))
}

export function usersTable(users: readonly ListedUser[]): string {
  const rows = users.map(({ id, email, lastSeenAt, organizations }) => {
    const where = organizations.map(({ name, role, invited }) => `${name} (${invited ? 'invited' : role})`)
    return [email, where.join(', '), lastSeenAt ?? 'never', id]
  })
  return table(['EMAIL', 'ORGANIZATIONS', 'LAST SEEN', 'ID'], rows, 'no users yet: plantroom user add EMAIL')
}

/** Finds a person by address or id. */
export function findUser(users: readonly ListedUser[], given: string): ListedUser {
  const wanted = given.toLowerCase()
  const found = users.find(({ id, email }) => id === given || email === wanted)
  if (found) return found
  const near = nearest(
    given,
    users.map(({ email }) => email),
  )
  throw new UsageError(`there is no user ${printable(given)}${similarNames(near)}`)
}

const roleOf = ({ role }: Member) => (role === 'admin' ? 'admin' : 'member')

function latest(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
