import type { Mentionable } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { sql } from 'kysely'
import { membersOf } from '../../organization/access/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { oneLine } from '../../platform/mail/index.ts'

/** Lists those who sign in and have a role on the site, by email. People who have not accepted an invitation have none. */
export async function listMentionable(db: Db, siteId: string): Promise<Mentionable[]> {
  const { rows } = await sql<{ userId: string; email: string; name: string | null }>`
    SELECT member.*, person.name FROM (${membersOf(siteId)}) AS member
    LEFT JOIN person ON person.site_id = ${siteId} AND person.email_key = member.email
    ORDER BY member.email`.execute(db)
  const used = new Set<string>()
  return rows.map(({ userId, email, name }) => {
    const own = oneLine(name ?? '') || (email.split('@')[0] ?? email)
    let unique = own
    for (let copy = 2; used.has(unique.toLowerCase()); copy += 1) unique = `${own} ${copy}`
    used.add(unique.toLowerCase())
    return { userId, email, name: unique }
  })
}

/** Finds the mentioned people. Throws `invalid` for anyone without a role on the site, whether or not they exist. */
export async function requireMentionable(db: Db, siteId: string, userIds: readonly string[]): Promise<Mentionable[]> {
  if (userIds.length === 0) return []
  const known = new Map((await listMentionable(db, siteId)).map((person) => [person.userId, person]))
  return [...new Set(userIds)].map((userId) => {
    const person = known.get(userId)
    if (person) return person
    const field = `mentions[${userIds.indexOf(userId)}]`
    throw new Failure('invalid', `${field}: nobody with the id ${shown(userId)} has a role on this site`, field)
  })
}

interface CommentPlace {
  requestId: string
  position: number
}

export async function insertMentions(
  tx: Db,
  { requestId, position }: CommentPlace,
  people: readonly Mentionable[],
): Promise<void> {
  if (people.length === 0) return
  const rows = people.map(({ userId, name }) => ({
    ticket_id: requestId,
    comment_position: position,
    user_id: userId,
    name,
  }))
  await tx.insertInto('ticket_mention').values(rows).execute()
}

/** Returns the mentions in the comments from `first` to `last`, by the position of the comment. */
export async function mentionsOf(
  db: Db,
  requestId: string,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, { userId: string; name: string }[]>> {
  const rows = await db
    .selectFrom('ticket_mention')
    .where('ticket_id', '=', requestId)
    .where('comment_position', '>=', first)
    .where('comment_position', '<=', last)
    .select(['comment_position', 'user_id as userId', 'name'])
    .orderBy('name')
    .execute()
  const byComment = Map.groupBy(rows, (row) => row.comment_position)
  return new Map([...byComment].map(([at, found]) => [at, found.map(({ userId, name }) => ({ userId, name }))]))
}
