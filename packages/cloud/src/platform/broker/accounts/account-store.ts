import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Held shared by changes of accounts until their commit, and exclusively while leftovers are deleted. */
const CHANGES = sql`hashtextextended('plantroom broker accounts', 0)`

export type AccountStore = ReturnType<typeof createAccountStore>

export function createAccountStore(db: Db) {
  return {
    /** The mark of the accounts that belong to this database. */
    async serviceId(): Promise<string> {
      return (await db.selectFrom('broker_service').select('id').executeTakeFirstOrThrow()).id
    },

    async deviceIds(): Promise<Set<string>> {
      return new Set((await db.selectFrom('device').select('id').execute()).map(({ id }) => id))
    },

    /** Runs work if no device has this id. Meanwhile no account changes: earlier changes are committed or undone. */
    ifUnused: (id: string, work: () => Promise<void>): Promise<void> =>
      db.transaction().execute(async (tx) => {
        await sql`SELECT pg_advisory_xact_lock(${CHANGES})`.execute(tx)
        const device = await tx.selectFrom('device').select('id').where('id', '=', id).executeTakeFirst()
        if (!device) await work()
      }),

    /** Announces a change of an account, until the transaction ends. */
    async beginChange(): Promise<void> {
      await sql`SELECT pg_advisory_xact_lock_shared(${CHANGES})`.execute(db)
    },

    async setPassword(deviceId: string, hash: string): Promise<void> {
      await db.updateTable('device').set({ broker_password: hash }).where('id', '=', deviceId).execute()
    },

    /** All devices in the order of their ids, with the hash for a file of accounts. */
    passwords: (): Promise<{ id: string; password: string | null }[]> =>
      db.selectFrom('device').select(['id', 'broker_password as password']).orderBy('id').execute(),
  }
}
