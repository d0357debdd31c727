import { Failure } from '@plantroom/contract/failure'
import type { PendingInvitation } from '@plantroom/contract/roles'
import { type Kysely, sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'

/** Moves the roles that an organization offered to the person's memberships. */
export async function acceptMembership(tx: Kysely<Schema>, userId: string, organizationId: string): Promise<void> {
  await sql`
    WITH offered AS (
      DELETE FROM pending_membership WHERE user_id = ${userId} AND organization_id = ${organizationId}
      RETURNING user_id, organization_id, site_id, role, group_role, site_tag
    )
    INSERT INTO membership (user_id, organization_id, site_id, role, group_role, site_tag)
    SELECT * FROM offered`.execute(tx)
}

/** Deletes those accounts that no organization has or has invited. Their sessions and links end with them. */
export async function deleteUnusedAccounts(tx: Kysely<Schema>, userIds: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM user_account AS account WHERE id = ANY(${userIds}::text[])
      AND NOT EXISTS (SELECT FROM membership WHERE user_id = account.id)
      AND NOT EXISTS (SELECT FROM pending_membership WHERE user_id = account.id)`.execute(tx)
}

export type PendingStore = ReturnType<typeof createPendingStore>

/** The invitations that wait for the answer of a person. */
export function createPendingStore(db: Db) {
  return {
    async list(userId: string): Promise<PendingInvitation[]> {
      const { rows } = await sql<PendingInvitation>`
        SELECT organization.id AS "orgId", organization.name AS organization,
          bool_or(pending.role = 'admin') AS "isAdmin", NOT bool_and(account.password_by_mail) AS "needsLink"
        FROM pending_membership pending
        JOIN organization ON organization.id = pending.organization_id
        JOIN user_account account ON account.id = pending.user_id
        WHERE pending.user_id = ${userId}
        GROUP BY organization.id
        ORDER BY organization.name, organization.id`.execute(db)
      return rows
    },

    /**
     * Joins an organization without its link. Only for a person whose password was set with a mailed link: any other
     * password may be known to an administrator who handed over the link.
     */
    join: (userId: string, organizationId: string): Promise<void> =>
      inTransaction(db, async (tx) => {
        const account = await lockAccount(tx, userId)
        await requirePending(tx, userId, organizationId)
        if (!account?.password_by_mail) {
          throw new Failure('conflict', 'open the link that this organization sent you to join it')
        }
        await tx.deleteFrom('account_link').where('user_id', '=', userId).where(ofOrNone(organizationId)).execute()
        await acceptMembership(tx, userId, organizationId)
      }),

    /** Declines an invitation. The account stays, with its other organizations. */
    decline: (userId: string, organizationId: string): Promise<void> =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, userId)
        await requirePending(tx, userId, organizationId)
        await tx
          .deleteFrom('pending_membership')
          .where('user_id', '=', userId)
          .where('organization_id', '=', organizationId)
          .execute()
        await tx
          .deleteFrom('account_link')
          .where('user_id', '=', userId)
          .where('organization_id', '=', organizationId)
          .execute()
        await deleteUnusedAccounts(tx, [userId])
      }),
  }
}

/** The links that end when a person joins: that of the organization and those that set a password. */
const ofOrNone = (organizationId: string) =>
  sql<boolean>`(organization_id IS NULL OR organization_id = ${organizationId})`

function lockAccount(tx: Kysely<Schema>, userId: string) {
  return tx
    .selectFrom('user_account')
    .where('id', '=', userId)
    .select('password_by_mail')
    .forUpdate()
    .executeTakeFirst()
}

async function requirePending(tx: Kysely<Schema>, userId: string, organizationId: string): Promise<void> {
  const found = await tx
    .selectFrom('pending_membership')
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!found) throw new Failure('notFound', 'you have no invitation to this organization')
}
