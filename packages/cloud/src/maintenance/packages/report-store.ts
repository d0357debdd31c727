import type { FilledRequest } from '@plantroom/contract/api'
import type { Problem } from '@plantroom/fpl/check-package'
import type { Db } from '../../platform/db/database.ts'
import { listProblems, type PageOfJob, pageOf, type ReportPage } from '../../platform/jobs/index.ts'
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
    problems: (page: PageOfJob): Promise<ReportPage<ReportedProblem>> =>
      listProblems(db, page, ({ external_id, path, value, rule }) => ({
        row: rowOf(path),
        externalId: external_id,
        path,
        value,
        rule,
      })),

    samples: (jobId: string) => listSamples(db, jobId),

    /** Returns all findings; the output lists at most a thousand of each kind. */
    async findings({ jobId, limit, after = '-1' }: PageOfJob): Promise<ReportPage<ReportedFinding>> {
      const rows = await db
        .selectFrom('job_finding')
        .select(['position', 'kind', 'value', 'roles', 'outcome'])
        .where('job_id', '=', jobId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit + 1)
        .execute()
      return pageOf(rows, limit, ({ kind, value, roles, outcome }) => ({ kind, value, roles, outcome }))
    },

    /** Returns the requests and fields that a fill set, or would set. */
    async fills({ jobId, limit, after = '-1' }: PageOfJob): Promise<ReportPage<FilledRequest>> {
      const rows = await db
        .selectFrom('job_fill')
        .select(['position', 'external_id', 'number', 'fields'])
        .where('job_id', '=', jobId)
        .where('position', '>', Number(after))
        .orderBy('position')
        .limit(limit + 1)
        .execute()
      return pageOf(rows, limit, ({ external_id, number, fields }) => ({ externalId: external_id, number, fields }))
    },

    /** Returns the numbers of the requests that this import created and that still exist. */
    async numbers({ jobId, limit, after = '-1' }: PageOfJob): Promise<ReportPage<AssignedNumber>> {
      const rows = await db
        .selectFrom('ticket')
        .select(['job_position as position', 'external_id', 'number'])
        .where('job_id', '=', jobId)
        .where('job_position', '>', Number(after))
        .orderBy('job_position')
        .limit(limit + 1)
        .execute()
      return pageOf(rows, limit, ({ external_id, number }) => ({ externalId: external_id, number }))
    },
  }
}
