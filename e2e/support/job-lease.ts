import type { Db } from '@plantroom/cloud/db/database'
import { sql } from 'kysely'

/** Makes the lease on a running job expire now, as if its worker had sent no heartbeat. */
export async function expireLease(db: Db, jobId: string): Promise<void> {
  await sql`UPDATE job SET leased_until = now() WHERE id = ${jobId} AND status = 'RUNNING'`.execute(db)
}
