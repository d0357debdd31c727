import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'
import type { AuthenticatedBy } from '../sessions/session-store.ts'

const MAX_ATTEMPTS = 5

export type ChallengePurpose = Schema['sign_in_challenge']['purpose']

interface Challenge {
  hash: Buffer
  purpose: ChallengePurpose
  userId: string | null
  passwordHash: string | null
  /** What a passkey has to sign. */
  toSign: string | null
  /** The provider that authenticated the person in the first step. */
  provider?: AuthenticatedBy | undefined
  expiresAt: Date
}

/** A sign-in that waits for its second factor. */
export interface WaitingSignIn {
  userId: string
  email: string
  /** The account's password when the first step was done. */
  passwordHash: string | null
  provider: AuthenticatedBy | null
}

export type ChallengeStore = ReturnType<typeof createChallengeStore>

/** What people have begun and not completed. Each challenge serves one purpose, once, for a few minutes. */
export function createChallengeStore(db: Db) {
  return {
    /** Replaces an earlier challenge with the same hash. */
    async add({ hash, purpose, userId, passwordHash, toSign, provider, expiresAt }: Challenge): Promise<void> {
      const row = {
        purpose,
        user_id: userId,
        password_hash: passwordHash,
        to_sign: toSign,
        provider: provider ? JSON.stringify(provider) : null,
        attempts: 0,
        expires_at: expiresAt,
      }
      await db
        .insertInto('sign_in_challenge')
        .values({ token_hash: hash, ...row })
        .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(row))
        .execute()
    },

    /** Counts an attempt at a second step. `undefined` when the challenge is unknown, expired or used up. */
    async attempt(hash: Buffer, now: Date): Promise<WaitingSignIn | undefined> {
      const { rows } = await sql<WaitingSignIn>`
        UPDATE sign_in_challenge SET attempts = attempts + 1 FROM user_account
        WHERE token_hash = ${hash} AND purpose = 'second-factor' AND expires_at > ${now} AND attempts < ${MAX_ATTEMPTS}
          AND user_account.id = sign_in_challenge.user_id
        RETURNING user_id AS "userId", email, sign_in_challenge.password_hash AS "passwordHash", provider`.execute(db)
      return rows[0]
    },

    /** Returns whose second factor is awaited; `undefined` when the challenge is unknown, expired or used up. */
    async findAwaited(hash: Buffer, now: Date): Promise<string | undefined> {
      const found = await db
        .selectFrom('sign_in_challenge')
        .where('token_hash', '=', hash)
        .where('purpose', '=', 'second-factor')
        .where('expires_at', '>', now)
        .where('attempts', '<', MAX_ATTEMPTS)
        .select('user_id')
        .executeTakeFirst()
      return found?.user_id ?? undefined
    },

    /** Stores what a passkey has to sign for a challenge. */
    async setToSign(hash: Buffer, toSign: string | null): Promise<void> {
      await db.updateTable('sign_in_challenge').set({ to_sign: toSign }).where('token_hash', '=', hash).execute()
    },

    /** Returns what a passkey had to sign, once. */
    async takeToSign(hash: Buffer): Promise<string | undefined> {
      const { rows } = await sql<{ toSign: string }>`
        UPDATE sign_in_challenge SET to_sign = NULL
        FROM (SELECT to_sign FROM sign_in_challenge WHERE token_hash = ${hash} FOR UPDATE) AS before
        WHERE token_hash = ${hash} AND before.to_sign IS NOT NULL
        RETURNING before.to_sign AS "toSign"`.execute(db)
      return rows[0]?.toSign
    },

    /** Ends a challenge and returns what a passkey had to sign. `undefined` for a challenge that is over. */
    async take(hash: Buffer, purpose: ChallengePurpose, now: Date): Promise<{ toSign: string | null } | undefined> {
      return db
        .deleteFrom('sign_in_challenge')
        .where('token_hash', '=', hash)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', now)
        .returning('to_sign as toSign')
        .executeTakeFirst()
    },
  }
}
