import type { Db } from '../db/database.ts'
import { type Page, type PageQuery, readPage } from '../db/page.ts'

/** Which page of a report of a job to read. */
export interface PageOfJob extends PageQuery {
  jobId: string
}

/** A problem that a job found in its input. */
interface ProblemRow {
  external_id: string | null
  path: string
  value: string | null
  rule: string
}

/** Reads the problems that a job found, in the order of its input. */
export function listProblems<Item>(
  db: Db,
  { jobId, ...page }: PageOfJob,
  toItem: (row: ProblemRow) => Item,
): Promise<Page<Item>> {
  const problems = db
    .selectFrom('job_problem')
    .select(['position', 'external_id', 'path', 'value', 'rule'])
    .where('job_id', '=', jobId)
  return readPage(problems, page, { by: 'position', order: 'asc' }, toItem)
}
