import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type SignInFailureStore = ReturnType<typeof createSignInFailureStore>

export function createSignInFailureStore(db: Db) {
  return {
    /** Counts one more failure, up to `limit` + 1, in the current period or a new one. All processes share the count. */
    async count(
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

    async clear(subject: Buffer): Promise<void> {
      await db.deleteFrom('sign_in_failure').where('subject', '=', subject).execute()
    },

    async decrement(subject: Buffer): Promise<void> {
      await db
        .updateTable('sign_in_failure')
        .set((eb) => ({ failures: eb('failures', '-', 1) }))
        .where('subject', '=', subject)
        .where('failures', '>', 0)
        .execute()
    },
  }
}
