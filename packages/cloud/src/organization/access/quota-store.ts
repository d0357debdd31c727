import type { Clock } from '@plantroom/base/clock'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { hashSecret } from './secrets.ts'

/** How long after its end an exceeded limit still makes the next wait longer. */
export const STRIKES_KEPT_MS = 24 * 3_600_000
const LONGEST_WAIT_MS = 24 * 3_600_000

export type QuotaStore = ReturnType<typeof createQuotaStore>

/** Counts uses and failures by subject. All processes share the counts. */
export function createQuotaStore(db: Db) {
  return {
    /**
     * Counts one more, up to `limit` + 1, in the current period or a new one. With `grows`, the wait doubles each time the
     * limit is exceeded again within a day.
     */
    async count(
      subject: Buffer,
      { now, periodEnd, limit, grows = false }: { now: Date; periodEnd: Date; limit: number; grows?: boolean },
    ): Promise<{ count: number; endsAt: Date }> {
      const periodS = (periodEnd.getTime() - now.getTime()) / 1000
      const forgotten = new Date(now.getTime() - STRIKES_KEPT_MS)
      const { rows } = await sql<{ count: number; endsAt: Date }>`
        INSERT INTO sign_in_failure AS counted (subject, failures, ends_at) VALUES (${subject}, 1, ${periodEnd})
        ON CONFLICT (subject) DO UPDATE SET
          failures = CASE WHEN counted.ends_at <= ${now} THEN 1 ELSE LEAST(counted.failures + 1, ${limit + 1}::integer) END,
          strikes = CASE
            WHEN counted.ends_at <= ${forgotten} THEN 0
            WHEN ${grows}::boolean AND counted.ends_at > ${now} AND counted.failures = ${limit}::integer THEN LEAST(counted.strikes + 1, 20)
            ELSE counted.strikes
          END,
          ends_at = CASE
            WHEN counted.ends_at <= ${now} THEN excluded.ends_at
            WHEN ${grows}::boolean AND counted.failures = ${limit}::integer AND counted.strikes > 0 THEN
              ${now}::timestamptz + LEAST(${periodS}::float8 * 2 ^ counted.strikes, ${LONGEST_WAIT_MS / 1000}::float8) * interval '1 second'
            ELSE counted.ends_at
          END
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
