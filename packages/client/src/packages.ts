import type { GivenNumber, PackageFinding, PackageProblem } from '@plantroom/contract/api'
import type { Job, NamedJob } from '@plantroom/contract/jobs'
import { queryOf, type Send } from './http.ts'

export type { GivenNumber, PackageFinding, PackageProblem } from '@plantroom/contract/api'

/** `nextCursor` is `null` on the last page. */
export interface JobPage {
  jobs: NamedJob[]
  nextCursor: string | null
}

export interface ProblemPage {
  problems: PackageProblem[]
  nextCursor: string | null
}

export interface FindingPage {
  findings: PackageFinding[]
  nextCursor: string | null
}

export interface NumberPage {
  numbers: GivenNumber[]
  nextCursor: string | null
}

/** Which part of a report. */
export interface ReportRange {
  limit?: number | undefined
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined
}

/** What a job leaves behind beside its output. */
export type JobReport = 'problems' | 'findings' | 'numbers'

const MOST_IN_ONE_ANSWER = 10_000

export type PackageClient = ReturnType<typeof createPackageClient>

/** The packages of maintenance requests of one site. For a key with `ticket:read_write`, an operator's token, and whoever is signed in. */
export function createPackageClient(send: Send, site: { orgId: string; propertyId: string }) {
  const base = `/api/orgs/${encodeURIComponent(site.orgId)}/properties/${encodeURIComponent(site.propertyId)}/ticket-packages`
  const job = (jobId: string) => `${base}/jobs/${encodeURIComponent(jobId)}`
  const start = async (path: string, body?: object) => (await send<{ jobId: string }>('POST', base + path, body)).jobId
  return {
    /** Where to PUT the file, as it is and without a key, within the hour. */
    uploadUrl: async (filename: string) =>
      (await send<{ url: string }>('GET', `${base}/import/upload-url${queryOf({ filename })}`)).url,
    /** Starts a dry run of a package that was uploaded; gives the id of the job. Nothing is written. */
    preview: (filename: string) => start('/import/preview', { filename }),
    /** Starts an import of a package that was uploaded. What is on the site already is skipped. */
    import: (filename: string) => start('/import', { filename }),
    /** Starts the writing of a package of all requests of the site. */
    export: () => start('/export'),
    /** The newest first. */
    jobs: (range: ReportRange = {}) => send<JobPage>('GET', `${base}/jobs${queryOf({ ...range })}`),
    job: (jobId: string) => send<Job>('GET', job(jobId)),
    /** All that is wrong with the package of a job, in the order of the package. */
    problems: (jobId: string, range: ReportRange = {}) =>
      send<ProblemPage>('GET', `${job(jobId)}/problems${queryOf({ ...range })}`),
    /** All that a preview or an import found, where an output lists the first thousand of each kind. */
    findings: (jobId: string, range: ReportRange = {}) =>
      send<FindingPage>('GET', `${job(jobId)}/findings${queryOf({ ...range })}`),
    /** Of the requests that an import made, in the order of the package. */
    numbers: (jobId: string, range: ReportRange = {}) =>
      send<NumberPage>('GET', `${job(jobId)}/numbers${queryOf({ ...range })}`),

    /** Where server-sent events of a job come from: `job`, at once and on every change, until it is resolved. */
    eventsPath: (jobId: string) => `${job(jobId)}/events`,
    /** Where a browser finds a whole report: `csv` of any length, `json` of the most that one answer holds. */
    reportPath: (jobId: string, report: JobReport, format: 'csv' | 'json') =>
      `${job(jobId)}/${report}${queryOf(format === 'csv' ? { format } : { limit: MOST_IN_ONE_ANSWER })}`,
  }
}
