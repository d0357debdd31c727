import type { Clock } from '@plantroom/base/clock'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { hashSecret } from './secrets.ts'

export type QuotaStore = ReturnType<typeof createQuotaStore>

/** Counts uses and failures by subject. All processes share the counts. */
export function createQuotaStore(db: Db) {
  return {
    /** Counts one more, up to `limit` + 1, in the current period or a new one. */
    async count(
      subject: Buffer,
      { now, periodEnd, limit }: { now: Date; periodEnd: Date; limit: number },
    ): Promise<{ count: number; endsAt: Date }> {
      const { rows } = await sql<{ count: number; endsAt: Date }>`
        INSERT INTO sign_in_failure AS counted (subject, failures, ends_at) VALUES (${subject}, 1, ${periodEnd})
        ON CONFLICT (subject) DO UPDATE SET
          failures = CASE WHEN counted.ends_at <= ${now} THEN 1 ELSE LEAST(counted.failures + 1, ${limit + 1}::integer) END,
          ends_at = CASE WHEN counted.ends_at <= ${now} THEN excluded.ends_at ELSE counted.ends_at END
        RETURNING failures AS count, ends_at AS "endsAt"`.execute(db)
      const [row] = rows
      if (!row) throw new Error('the database did not count')
      return row
    },

    async clear(subject: Buffer): Promise<void> {
      await db.deleteFrom('sign_in_failure').where('subject', '=', subject).execute()
    },

    async uncount(subject: Buffer): Promise<void> {
      await db
        .updateTable('sign_in_failure')
        .set((eb) => ({ failures: eb('failures', '-', 1) }))
        .where('subject', '=', subject)
        .where('failures', '>', 0)
        .execute()
    },
  }
}

/** The key of a count. Hashed, because people may type a password into the wrong field. */
export const quotaSubject = (parts: readonly string[]): Buffer => hashSecret(JSON.stringify(parts))

/** Counts one use. Returns how long to wait when the limit is exceeded; 0 when it is not. */
export async function countUse(
  store: Pick<QuotaStore, 'count'>,
  clock: Clock,
  { subject, limit, periodMs }: { subject: readonly string[]; limit: number; periodMs: number },
): Promise<number> {
  const now = clock.now()
  const period = { now: new Date(now), periodEnd: new Date(now + periodMs), limit }
  const { count, endsAt } = await store.count(quotaSubject(subject), period)
  return count > limit ? Math.max(1000, endsAt.getTime() - now) : 0
}
