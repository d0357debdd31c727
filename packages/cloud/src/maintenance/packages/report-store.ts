import type { FilledRequest } from '@plantroom/contract/api'
import type { Problem } from '@plantroom/fpl/check-package'
import type { Db } from '../../platform/db/database.ts'
import { type Page, readPage } from '../../platform/db/page.ts'
import { listProblems, type PageOfJob } from '../../platform/jobs/index.ts'
import { rowOf } from './problem-rows.ts'
import { listSamples } from './sample-store.ts'

/** One problem of a package. */
type ReportedProblem = Pick<Problem, 'path' | 'value' | 'rule'> & { row: number | null; externalId: string | null }

/** The number that the site assigned to a request of a package. */
interface AssignedNumber {
  externalId: string
  number: number
}

/** A tag, unit or email that the site lacks. */
interface ReportedFinding {
  kind: 'tag' | 'unit' | 'email'
  value: string
  /** For an email: the roles in which the package uses it. */
  roles: string[]
  outcome: 'created' | 'mapped' | 'left'
}

export type ReportStore = ReturnType<typeof createReportStore>

/** Reads the reports of a job, in the order of the package. */
export function createReportStore(db: Db) {
  return {
    problems: (page: PageOfJob): Promise<Page<ReportedProblem>> =>
      listProblems(db, page, ({ external_id, path, value, rule }) => ({
        row: rowOf(path),
        externalId: external_id,
        path,
        value,
        rule,
      })),

    samples: (jobId: string) => listSamples(db, jobId),

    /** Returns all findings; the output lists at most a thousand of each kind. */
    findings({ jobId, ...page }: PageOfJob): Promise<Page<ReportedFinding>> {
      const rows = db
        .selectFrom('job_finding')
        .select(['position', 'kind', 'value', 'roles', 'outcome'])
        .where('job_id', '=', jobId)
      return readPage(rows, page, { by: 'position', order: 'asc' }, ({ position: _, ...finding }) => finding)
    },

    /** Returns the requests and fields that a fill set, or would set. */
    fills({ jobId, ...page }: PageOfJob): Promise<Page<FilledRequest>> {
      const rows = db
        .selectFrom('job_fill')
        .select(['position', 'external_id as externalId', 'number', 'fields'])
        .where('job_id', '=', jobId)
      return readPage(rows, page, { by: 'position', order: 'asc' }, ({ position: _, ...filled }) => filled)
    },

    /** Returns the numbers of the requests that this import created and that still exist. */
    numbers({ jobId, ...page }: PageOfJob): Promise<Page<AssignedNumber>> {
      const rows = db
        .selectFrom('ticket')
        .select(['job_position', 'external_id as externalId', 'number'])
        .where('job_id', '=', jobId)
      return readPage(rows, page, { by: 'job_position', order: 'asc' }, ({ job_position: _, ...assigned }) => assigned)
    },
  }
}
