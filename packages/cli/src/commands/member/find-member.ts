import type { Client } from '@plantroom/client/client'
import type { Member } from '@plantroom/contract/roles'
import { UsageError } from '../../command.ts'
import { printable } from '../../output.ts'
import { nearest, similarNames } from '../../suggest.ts'

/** Finds a member or invited person by email or id. */
export async function memberOf(client: Pick<Client, 'listMembers'>, orgId: string, given: string): Promise<Member> {
  const { members } = await client.listMembers({ orgId })
  const wanted = given.toLowerCase()
  const found = members.find(({ userId, email }) => userId === given || email === wanted)
  if (found) return found
  const near = nearest(
    given,
    members.map(({ email }) => email),
  )
  throw new UsageError(`${printable(given)} is not a member of ${orgId}${similarNames(near)}`)
}
