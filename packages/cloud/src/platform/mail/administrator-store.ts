import type { Db } from '../db/database.ts'

/** Returns the addresses of the people who administer an organization. */
export async function administratorsOf(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('user_account', 'user_account.id', 'membership.user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'admin')
    .select('email')
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
