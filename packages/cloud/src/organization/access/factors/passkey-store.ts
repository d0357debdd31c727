import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import { factorAdded, factorRemoved, hasFactor, lockAccount, type NewFactor } from './factor-store.ts'

const MAX_PASSKEYS = 20

/** A passkey with which its owner signs. */
export interface StoredPasskey {
  id: string
  userId: string
  credentialId: string
  rpId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

interface ListedPasskey {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>

/** The passkeys of people. */
export function createPasskeyStore(db: Db) {
  return {
    list: (userId: string): Promise<ListedPasskey[]> =>
      db
        .selectFrom('passkey')
        .where('user_id', '=', userId)
        .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    /** The passkeys of a person that their browser offers at a host name. */
    usableAt: (userId: string, rpId: string): Promise<{ id: string; transports: string[] }[]> =>
      db
        .selectFrom('passkey')
        .where('user_id', '=', userId)
        .where('rp_id', '=', rpId)
        .select(['credential_id as id', 'transports'])
        .execute(),

    async find(credentialId: string, rpId: string): Promise<StoredPasskey | undefined> {
      const found = await db
        .selectFrom('passkey')
        .where('credential_id', '=', credentialId)
        .where('rp_id', '=', rpId)
        .select(['id', 'user_id as userId', 'credential_id as credentialId', 'rp_id as rpId'])
        .select(['public_key as publicKey', 'counter', 'transports'])
        .executeTakeFirst()
      return found && { ...found, counter: Number(found.counter) }
    },

    /** Adds a passkey. Resolves with `full` when the person has too many. */
    add: (
      first: NewFactor,
      passkey: Omit<StoredPasskey, 'userId'> & { name: string },
      at: Date,
    ): Promise<{ isFirst: boolean } | 'full'> =>
      inTransaction(db, async (tx) => {
        const { userId } = first
        await lockAccount(tx, userId)
        const { count } = await tx
          .selectFrom('passkey')
          .where('user_id', '=', userId)
          .select((eb) => eb.fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= MAX_PASSKEYS) return 'full'
        const isFirst = !(await hasFactor(tx, userId))
        const { id, credentialId, rpId, publicKey, counter, transports, name } = passkey
        await tx
          .insertInto('passkey')
          .values({
            id,
            user_id: userId,
            credential_id: credentialId,
            rp_id: rpId,
            public_key: publicKey,
            counter,
            transports,
            name,
            created_at: at,
          })
          .execute()
        await factorAdded(tx, first, isFirst)
        return { isFirst }
      }),

    /** Records a use. False when another use had this counter or a later one, which means that a copy exists. */
    async use(id: string, counter: number, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkey')
        .set({ counter, last_used_at: at })
        .where('id', '=', id)
        // Passkeys that are synchronized between devices do not count and always say 0.
        .where(sql<boolean>`(counter < ${counter}::bigint OR (counter = 0 AND ${counter}::bigint = 0))`)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async rename(userId: string, id: string, name: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkey')
        .set({ name })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    remove: (userId: string, id: string): Promise<boolean> =>
      inTransaction(db, async (tx) => {
        await lockAccount(tx, userId)
        const { numDeletedRows } = await tx
          .deleteFrom('passkey')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await factorRemoved(tx, userId)
        return true
      }),
  }
}
