/**
 * Runs background jobs. The `job` table is the queue: workers claim due jobs, renew their lease with heartbeats and run each
 * job in a separate process. Other features register their kinds of job and supply the handlers.
 */
export { type NewJob, requireClaim } from './claim-store.ts'
export type { Verdict as ResolvedJob } from './ending.ts'
export {
  type Breakdown,
  isFinalFailure,
  JobFailure,
  type JobHandlers,
  type JobKind,
  type JobKinds,
  type JobProblem,
  type JobRow,
  type JobTools,
  reasonFor,
} from './job.ts'
export { startJobProcess } from './job-process.ts'
export { createJobStore, type JobStore } from './job-store.ts'
export { acceptJob, type JobQuota } from './queue.ts'
export { listProblems, type PageOfJob } from './report-pages.ts'
export { runJobProcess } from './run-job-process.ts'
export { startWorker, WORKER_SETTINGS, type WorkerSettings } from './worker.ts'
