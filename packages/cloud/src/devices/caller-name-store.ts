import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

const PERSON = 'user:'

/** Looks up the names of callers who placed overrides. */
export interface CallerNameStore {
  /** Returns the names of keys, including revoked ones, and the e-mail addresses of people, by caller id. */
  names(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export function createCallerNameStore(db: Db): CallerNameStore {
  return {
    async names(organizationId, ids) {
      const users = ids.filter((id) => id.startsWith(PERSON)).map((id) => id.slice(PERSON.length))
      const keys = ids.filter((id) => !id.startsWith(PERSON))
      const found = await db
        .selectFrom('api_key')
        .where('organization_id', '=', organizationId)
        .where('id', '=', sql<string>`ANY(${keys}::text[])`)
        .select(['id', 'name'])
        .unionAll((eb) =>
          eb
            .selectFrom('user_account')
            .where('id', '=', sql<string>`ANY(${users}::text[])`)
            .where('id', 'in', (member) =>
              member.selectFrom('membership').where('organization_id', '=', organizationId).select('user_id'),
            )
            .select([sql<string>`${PERSON}::text || id`.as('id'), 'email as name']),
        )
        .execute()
      return new Map(found.map(({ id, name }) => [id, name]))
    },
  }
}
