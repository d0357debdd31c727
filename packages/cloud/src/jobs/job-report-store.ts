import type { Problem } from '@plantroom/fpl/check-package'
import type { Db } from '../db/database.ts'

/** What is wrong with a package, one line of a report. */
export type ReportedProblem = Pick<Problem, 'path' | 'value' | 'rule'>

/** Which number a request of a package has got. */
export interface GivenNumber {
  externalId: string
  number: number
}

/** A tag that is made, a unit that the site does not have, somebody who is not of the site. */
export interface ReportedFinding {
  kind: 'tag' | 'unit' | 'email'
  value: string
  /** Of an address: what it was to be. */
  roles: string[]
}

export interface ReportPage<Item> {
  items: Item[]
  /** The `after` of the next page; `null` when this is the last. */
  next: string | null
}

interface PageOfJob {
  jobId: string
  limit: number
  after?: string | undefined
}

export type JobReportStore = ReturnType<typeof createJobReportStore>

/** What a job leaves behind beside its output, in the order of the package. */
export function createJobReportStore(db: Db) {
  return {
    async problems({ jobId, limit, after = '-1' }: PageOfJob): Promise<ReportPage<ReportedProblem>> {
      const rows = await db
        .selectFrom('job_problem')
        .select(['position', 'path', 'value', 'rule'])
        .where('job_id', '=', jobId)
        .where('position', '>', Number(after))
        .orderBy('position')
        .limit(limit + 1)
        .execute()
      return page(rows, limit, ({ path, value, rule }) => ({ path, value, rule }))
    },

    /** All of what an output lists the first thousand of each kind of. */
    async findings({ jobId, limit, after = '-1' }: PageOfJob): Promise<ReportPage<ReportedFinding>> {
      const rows = await db
        .selectFrom('job_finding')
        .select(['position', 'kind', 'value', 'roles'])
        .where('job_id', '=', jobId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit + 1)
        .execute()
      return page(rows, limit, ({ kind, value, roles }) => ({ kind, value, roles }))
    },

    /** Of the requests that this import made, and that are still there. */
    async numbers({ jobId, limit, after = '-1' }: PageOfJob): Promise<ReportPage<GivenNumber>> {
      const rows = await db
        .selectFrom('ticket')
        .select(['job_position as position', 'external_id', 'number'])
        .where('job_id', '=', jobId)
        .where('job_position', '>', Number(after))
        .orderBy('job_position')
        .limit(limit + 1)
        .execute()
      return page(rows, limit, ({ external_id, number }) => ({ externalId: external_id, number }))
    },
  }
}

/** Made from one row more than asked for, which tells whether there is a next page. */
function page<Row extends { position: number | string | null }, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): ReportPage<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)?.position : undefined
  return { items: shown.map(toItem), next: last === undefined || last === null ? null : String(last) }
}
