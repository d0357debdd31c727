import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface OldExport {
  siteId: string
  jobId: string
}

export type ExportSweepStore = ReturnType<typeof createExportSweepStore>

export function createExportSweepStore(db: Db) {
  return {
    /** Lists exports that ended before a time and may still have their package, oldest first. */
    async listOld(before: Date, limit: number): Promise<OldExport[]> {
      const { rows } = await sql<OldExport>`
        SELECT site_id AS "siteId", id AS "jobId" FROM job
        WHERE name = 'TICKET_EXPORT' AND status = 'SUCCESS' AND finished_at < ${before} AND output ->> 'url' <> ''
        ORDER BY finished_at LIMIT ${limit}`.execute(db)
      return rows
    },

    /** Lists exports that failed since a time. One that died right before its end left a package behind. */
    async listFailed(since: Date): Promise<OldExport[]> {
      const { rows } = await sql<OldExport>`
        SELECT site_id AS "siteId", id AS "jobId" FROM job
        WHERE name = 'TICKET_EXPORT' AND status = 'ERROR' AND resolved AND finished_at >= ${since}`.execute(db)
      return rows
    },

    /** Clears the address in the output, so that the export shows no download. */
    async markRemoved({ jobId }: OldExport): Promise<void> {
      await sql`UPDATE job SET output = jsonb_set(output, '{url}', '""') WHERE id = ${jobId}`.execute(db)
    },
  }
}
