import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface OldExport {
  siteId: string
  jobId: string
}

export type ExportSweepStore = ReturnType<typeof createExportSweepStore>

export function createExportSweepStore(db: Db) {
  return {
    /** Exports that ended before then and may still have their package, the oldest first. */
    async listOld(before: Date, limit: number): Promise<OldExport[]> {
      const { rows } = await sql<OldExport>`
        SELECT site_id AS "siteId", id AS "jobId" FROM job
        WHERE name = 'TICKET_EXPORT' AND status = 'SUCCESS' AND finished_at < ${before} AND output ->> 'url' <> ''
        ORDER BY finished_at LIMIT ${limit}`.execute(db)
      return rows
    },

    /** Exports that failed since then: one that died at its very end has left a package that nobody can ask for. */
    async listFailed(since: Date): Promise<OldExport[]> {
      const { rows } = await sql<OldExport>`
        SELECT site_id AS "siteId", id AS "jobId" FROM job
        WHERE name = 'TICKET_EXPORT' AND status = 'ERROR' AND resolved AND finished_at >= ${since}`.execute(db)
      return rows
    },

    async markRemoved({ jobId }: OldExport): Promise<void> {
      await sql`UPDATE job SET output = jsonb_set(output, '{url}', '""') WHERE id = ${jobId}`.execute(db)
    },
  }
}
