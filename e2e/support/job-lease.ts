import type { Db } from '@plantroom/cloud/db/database'
import { sql } from 'kysely'

/** Expires the lease of a job, as if its worker had been silent for too long. */
export async function outliveLease(db: Db, jobId: string): Promise<void> {
  await sql`
    UPDATE pgboss.job SET heartbeat_on = now() - interval '1 hour'
    WHERE state = 'active' AND data->>'jobId' = ${jobId}`.execute(db)
}
