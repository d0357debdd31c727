import { type Kysely, sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Schema } from '../../../platform/db/schema.ts'

type Tx = Kysely<Schema>

/** Whose factor changes, and in which of their sessions. */
export interface OwnSession {
  userId: string
  sessionId: string
}

/** A factor that a person adds. */
export interface NewFactor extends OwnSession {
  /** Recovery codes as they are stored, for the case that this is the first factor. */
  codeHashes: readonly Buffer[]
  /** Notifies the owner of the address. */
  mail?: ((tx: Db) => Promise<void>) | undefined
}

export type FactorStore = ReturnType<typeof createFactorStore>

/** The authenticator apps and recovery codes of people. Each change locks the account first. */
export function createFactorStore(db: Db) {
  return {
    async read(userId: string): Promise<{ totp: boolean; recoveryCodes: number }> {
      const { rows } = await sql<{ totp: boolean; recoveryCodes: number }>`
        SELECT EXISTS (SELECT FROM totp WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS totp,
          (SELECT count(*)::integer FROM recovery_code WHERE user_id = ${userId}) AS "recoveryCodes"`.execute(db)
      return rows[0] ?? { totp: false, recoveryCodes: 0 }
    },

    hasFactor: (userId: string): Promise<boolean> => hasFactor(db, userId),

    /** Stores a secret that is not confirmed yet. False when an app is already set up. */
    async startTotp(userId: string, secret: Buffer): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('totp')
        .values({ user_id: userId, secret, confirmed_at: null })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet({ secret }).where('totp.confirmed_at', 'is', null),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },

    findTotp: (userId: string): Promise<{ secret: Buffer; confirmedAt: Date | null } | undefined> =>
      db
        .selectFrom('totp')
        .where('user_id', '=', userId)
        .select(['secret', 'confirmed_at as confirmedAt'])
        .executeTakeFirst(),

    /** Turns on the app with this secret. `undefined` when it was replaced or turned on in the meantime. */
    confirmTotp: (
      first: NewFactor,
      secret: Buffer,
      step: number,
      at: Date,
    ): Promise<{ isFirst: boolean } | undefined> =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, first.userId)
        const isFirst = !(await hasFactor(tx, first.userId))
        const { numUpdatedRows } = await tx
          .updateTable('totp')
          .set({ confirmed_at: at, last_step: step })
          .where('user_id', '=', first.userId)
          .where('secret', '=', secret)
          .where('confirmed_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return undefined
        await factorAdded(tx, first, isFirst)
        return { isFirst }
      }),

    /** Uses the code of a time step. False when it, or a later one, was used before, in any process. */
    async useStep(userId: string, step: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('totp')
        .set({ last_step: step })
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .where('last_step', '<', step)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Uses a recovery code. False when there is no such code, or not any more. */
    async useRecoveryCode(userId: string, codeHash: Buffer): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('recovery_code')
        .where('user_id', '=', userId)
        .where('code_hash', '=', codeHash)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** Replaces the recovery codes. False for a person without a factor, who needs none. */
    replaceRecoveryCodes: (userId: string, codeHashes: readonly Buffer[]): Promise<boolean> =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, userId)
        if (!(await hasFactor(tx, userId))) return false
        await replaceCodes(tx, userId, codeHashes)
        return true
      }),

    /** False when no app is set up. */
    removeTotp: (userId: string): Promise<boolean> =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, userId)
        const { numDeletedRows } = await tx.deleteFrom('totp').where('user_id', '=', userId).executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await factorRemoved(tx, userId)
        return true
      }),
  }
}

export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('user_account').where('id', '=', userId).select('id').forUpdate().execute()
}

export async function hasFactor(db: Tx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    SELECT EXISTS (SELECT FROM totp WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)
      OR EXISTS (SELECT FROM passkey WHERE user_id = ${userId}) AS has`.execute(db)
  return rows[0]?.has === true
}

/**
 * Records that the session has proved a second factor. With the first one, the person gets recovery codes, and sessions
 * that were opened without a factor end.
 */
export async function factorAdded(tx: Tx, { userId, sessionId, codeHashes, mail }: NewFactor, isFirst: boolean) {
  if (isFirst) {
    await replaceCodes(tx, userId, codeHashes)
    await tx.deleteFrom('user_session').where('user_id', '=', userId).where('id', '!=', sessionId).execute()
  }
  await tx.updateTable('user_session').set({ second_factor: true }).where('id', '=', sessionId).execute()
  await mail?.(tx)
}

/** After the last factor is gone, no session counts as opened with one. */
export async function factorRemoved(tx: Tx, userId: string): Promise<void> {
  if (await hasFactor(tx, userId)) return
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await tx.updateTable('user_session').set({ second_factor: false }).where('user_id', '=', userId).execute()
}

/** Removes every factor of a person who lost them, and ends their sessions and half-finished sign-ins. */
export async function removeFactors(tx: Tx, userId: string): Promise<void> {
  for (const table of ['totp', 'passkey', 'recovery_code', 'sign_in_challenge', 'user_session'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}

async function replaceCodes(tx: Tx, userId: string, codeHashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_code')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}
