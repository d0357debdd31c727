import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Membership } from '../authorize-person.ts'

/** An open session with the person it belongs to. */
interface FoundSession {
  userId: string
  email: string
  memberships: Membership[]
  createdAt: Date
  lastSeenAt: Date
}

export type SessionStore = ReturnType<typeof createSessionStore>

/** The sessions of people, and how often signing in has failed. */
export function createSessionStore(db: Db) {
  return {
    /**
     * Opens a session if the person's password still has this hash; otherwise returns false. A concurrent password change
     * comes either before, so that no session opens, or after, and then ends the session.
     */
    async add(session: {
      hash: Buffer
      userId: string
      passwordHash: string
      at: Date
      expiresAt: Date
    }): Promise<boolean> {
      const { hash, userId, passwordHash, at, expiresAt } = session
      const { rows } = await sql`
        WITH seen AS (
          UPDATE user_account SET last_seen_at = GREATEST(last_seen_at, ${at})
          WHERE id = ${userId} AND password_hash = ${passwordHash} RETURNING id
        )
        INSERT INTO user_session (token_hash, user_id, created_at, last_seen_at, expires_at)
        SELECT ${hash}, id, ${at}, ${at}, ${expiresAt} FROM seen
        RETURNING user_id`.execute(db)
      return rows.length > 0
    },

    async find(hash: Buffer, now: Date): Promise<FoundSession | undefined> {
      const { rows } = await sql<FoundSession>`
        SELECT account.id AS "userId", account.email, user_session.created_at AS "createdAt",
          user_session.last_seen_at AS "lastSeenAt",
          COALESCE(
            json_agg(json_build_object(
              'organizationId', membership.organization_id, 'siteId', membership.site_id, 'role', membership.role
            )) FILTER (WHERE membership.id IS NOT NULL),
            '[]'
          ) AS memberships
        FROM user_session
        JOIN user_account account ON account.id = user_session.user_id
        LEFT JOIN membership ON membership.user_id = account.id
        WHERE user_session.token_hash = ${hash} AND user_session.expires_at > ${now}
        GROUP BY user_session.token_hash, account.id`.execute(db)
      return rows[0]
    },

    /** Stores that the session was used, unless it has ended in the meantime. */
    async touch(hash: Buffer, at: Date, expiresAt: Date): Promise<void> {
      // Locks the account before the session, as everywhere else: another order would deadlock.
      await sql`
        WITH seen AS (
          UPDATE user_account SET last_seen_at = GREATEST(user_account.last_seen_at, ${at})
          FROM user_session WHERE user_session.token_hash = ${hash} AND user_session.user_id = user_account.id
          RETURNING user_account.id
        )
        UPDATE user_session SET last_seen_at = ${at}, expires_at = ${expiresAt}
        FROM seen WHERE user_session.token_hash = ${hash} AND user_session.user_id = seen.id`.execute(db)
    },

    async remove(hash: Buffer): Promise<void> {
      await db.deleteFrom('user_session').where('token_hash', '=', hash).execute()
    },

    /** Counts one more failed sign-in, up to `limit` + 1, in the current period or a new one. All processes share the count. */
    async countFailure(
      subject: Buffer,
      { now, periodEnd, limit }: { now: Date; periodEnd: Date; limit: number },
    ): Promise<{ failures: number; endsAt: Date }> {
      const { rows } = await sql<{ failures: number; endsAt: Date }>`
        INSERT INTO sign_in_failure AS counted (subject, failures, ends_at) VALUES (${subject}, 1, ${periodEnd})
        ON CONFLICT (subject) DO UPDATE SET
          failures = CASE WHEN counted.ends_at <= ${now} THEN 1 ELSE LEAST(counted.failures + 1, ${limit + 1}::integer) END,
          ends_at = CASE WHEN counted.ends_at <= ${now} THEN excluded.ends_at ELSE counted.ends_at END
        RETURNING failures, ends_at AS "endsAt"`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the database did not count a failed sign-in')
      return row
    },

    async clearFailures(subject: Buffer): Promise<void> {
      await db.deleteFrom('sign_in_failure').where('subject', '=', subject).execute()
    },

    async uncountFailure(subject: Buffer): Promise<void> {
      await db
        .updateTable('sign_in_failure')
        .set((eb) => ({ failures: eb('failures', '-', 1) }))
        .where('subject', '=', subject)
        .where('failures', '>', 0)
        .execute()
    },

    /** Deletes expired sessions, invitations and counts of failed sign-ins. */
    async removeExpired(now: Date): Promise<void> {
      await db.deleteFrom('user_session').where('expires_at', '<=', now).execute()
      await db.deleteFrom('invitation').where('expires_at', '<=', now).execute()
      await db.deleteFrom('sign_in_failure').where('ends_at', '<=', now).execute()
    },
  }
}
