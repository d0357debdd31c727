import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Membership } from '../authorize-person.ts'
import { STRIKES_KEPT_MS } from '../quota-store.ts'
import { siteRoles } from '../site-roles.ts'

/** Where a session was opened. */
export interface SessionOrigin {
  address: string
  browser: string | null
}

/** How a provider authenticated a person, in the terms of OpenID Connect. */
export interface AuthenticatedBy {
  issuer: string
  amr: readonly string[]
  acr: string | null
  /** The `identity_version` of the account when its identity was found. */
  identityVersion: number
}

/** An open session with the person it belongs to. */
interface FoundSession {
  id: string
  userId: string
  email: string
  memberships: Membership[]
  createdAt: Date
  lastSeenAt: Date
  /** When the person last proved who they are. */
  verifiedAt: Date
  /** The session was opened with a second factor. */
  hasSecondFactor: boolean
}

export type SessionStore = ReturnType<typeof createSessionStore>

interface ListedSession extends Pick<FoundSession, 'id' | 'createdAt' | 'lastSeenAt'> {
  address: string | null
  browser: string | null
}

/** The sessions of people, and the browsers they signed in with. */
export function createSessionStore(db: Db) {
  return {
    /**
     * Opens a session if the person's password still has this hash, and a provider's identity is still linked; otherwise
     * returns false. A concurrent change comes either before, so that no session opens, or after, and then ends it.
     */
    async add(session: {
      hash: Buffer
      id: string
      userId: string
      passwordHash: string | null
      secondFactor?: boolean | undefined
      provider?: AuthenticatedBy | undefined
      from: SessionOrigin
      at: Date
      expiresAt: Date
    }): Promise<boolean> {
      const { hash, id, userId, passwordHash, secondFactor = false, provider, from, at, expiresAt } = session
      const amr = provider ? [...provider.amr] : null
      const { rows } = await sql`
        WITH seen AS (
          UPDATE user_account SET last_seen_at = GREATEST(last_seen_at, ${at})
          WHERE id = ${userId} AND password_hash IS NOT DISTINCT FROM ${passwordHash}
            AND identity_version = COALESCE(${provider?.identityVersion ?? null}, identity_version) RETURNING id
        )
        INSERT INTO user_session
          (token_hash, id, user_id, address, browser, created_at, last_seen_at, verified_at, expires_at, second_factor,
            issuer, amr, acr)
        SELECT ${hash}, ${id}, id, ${from.address}, ${from.browser}, ${at}, ${at}, ${at}, ${expiresAt}, ${secondFactor},
          ${provider?.issuer ?? null}, ${amr}, ${provider?.acr ?? null} FROM seen
        RETURNING user_id`.execute(db)
      return rows.length > 0
    },

    async find(hash: Buffer, now: Date): Promise<FoundSession | undefined> {
      const { rows } = await sql<FoundSession>`
        SELECT user_session.id, account.id AS "userId", account.email, user_session.created_at AS "createdAt",
          user_session.last_seen_at AS "lastSeenAt", user_session.verified_at AS "verifiedAt",
          user_session.second_factor AS "hasSecondFactor",
          COALESCE(
            json_agg(json_build_object(
              'organizationId', granted.organization_id, 'siteId', granted.site_id, 'role', granted.role,
              'requiresSecondFactor', organization.requires_second_factor
            )) FILTER (WHERE granted.role IS NOT NULL),
            '[]'
          ) AS memberships
        FROM user_session
        JOIN user_account account ON account.id = user_session.user_id
        LEFT JOIN LATERAL ${siteRoles(sql`membership.user_id = account.id`)} AS granted ON true
        LEFT JOIN organization ON organization.id = granted.organization_id
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

    /** Records that the person has just proved who they are. */
    async verified(id: string, at: Date): Promise<void> {
      await db.updateTable('user_session').set({ verified_at: at }).where('id', '=', id).execute()
    },

    async remove(hash: Buffer): Promise<void> {
      await db.deleteFrom('user_session').where('token_hash', '=', hash).execute()
    },

    /** Lists the open sessions of a person, the last used first. */
    list: (userId: string, now: Date): Promise<ListedSession[]> =>
      db
        .selectFrom('user_session')
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'address', 'browser'])
        .orderBy('last_seen_at', 'desc')
        .orderBy('id')
        .execute(),

    /** Ends one session of a person. False when they have no such session. */
    async end(userId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('user_session')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** Ends all sessions of a person except their own. Returns how many. */
    async endOthers(userId: string, ownId: string): Promise<number> {
      const others = db.deleteFrom('user_session').where('user_id', '=', userId).where('id', '!=', ownId)
      return Number((await others.executeTakeFirst()).numDeletedRows)
    },

    async isKnownDevice(subject: Buffer, now: Date): Promise<boolean> {
      const found = await db
        .selectFrom('known_device')
        .where('subject', '=', subject)
        .where('expires_at', '>', now)
        .select('subject')
        .executeTakeFirst()
      return found !== undefined
    },

    async rememberDevice(subject: Buffer, userId: string, expiresAt: Date): Promise<void> {
      await db
        .insertInto('known_device')
        .values({ subject, user_id: userId, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet({ expires_at: expiresAt }))
        .execute()
    },

    /** Deletes expired sessions, links, known browsers, half-finished sign-ins and counts. */
    async removeExpired(now: Date): Promise<void> {
      await db.deleteFrom('user_session').where('expires_at', '<=', now).execute()
      await db.deleteFrom('account_link').where('expires_at', '<=', now).execute()
      await db.deleteFrom('known_device').where('expires_at', '<=', now).execute()
      await db.deleteFrom('sign_in_challenge').where('expires_at', '<=', now).execute()
      await db.deleteFrom('used_sign_in_state').where('expires_at', '<=', now).execute()
      await sql`
        DELETE FROM sign_in_failure WHERE ends_at <= ${now}
          AND (strikes = 0 OR ends_at <= ${new Date(now.getTime() - STRIKES_KEPT_MS)})`.execute(db)
    },
  }
}
