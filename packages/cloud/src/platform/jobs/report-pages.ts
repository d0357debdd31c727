import type { Db } from '../db/database.ts'

/** One page of a report or a list. */
export interface ReportPage<Item> {
  items: Item[]
  /** The cursor of the next page; `null` on the last page. */
  next: string | null
}

/** Which page of a report of a job to read. */
export interface PageOfJob {
  jobId: string
  limit: number
  after?: string | undefined
}

/** Builds a page from one row more than the limit, which shows whether there is a next page. */
export function pageOf<Row extends { position: number | string | null }, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): ReportPage<Item> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)?.position : undefined
  return { items: shown.map(toItem), next: last === undefined || last === null ? null : String(last) }
}

/** A problem that a job found in its input. */
interface ProblemRow {
  external_id: string | null
  path: string
  value: string | null
  rule: string
}

/** Reads the problems that a job found, in the order of its input. */
export async function listProblems<Item>(
  db: Db,
  { jobId, limit, after = '-1' }: PageOfJob,
  toItem: (row: ProblemRow) => Item,
): Promise<ReportPage<Item>> {
  const rows = await db
    .selectFrom('job_problem')
    .select(['position', 'external_id', 'path', 'value', 'rule'])
    .where('job_id', '=', jobId)
    .where('position', '>', Number(after))
    .orderBy('position')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit, toItem)
}
