import type { Db } from '@plantroom/cloud/db/database'
import { sql } from 'kysely'

/** Moves the time of a job on: whoever has it has not been heard of for longer than the lease. */
export async function outliveLease(db: Db, jobId: string): Promise<void> {
  await sql`
    UPDATE pgboss.job SET heartbeat_on = now() - interval '1 hour'
    WHERE state = 'active' AND data->>'jobId' = ${jobId}`.execute(db)
}
