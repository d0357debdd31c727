import type { Actor } from '@plantroom/contract/activity'
import type { JobName } from '@plantroom/contract/jobs'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import {
  type ActingParty,
  type ActivityLog,
  type Happened,
  isRecorded,
  type Note,
  SYSTEM,
} from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { acceptJob, type JobQuota, type JobRow, type NewJob, type ResolvedJob } from '../../platform/jobs/index.ts'
import { JOB_KINDS } from './job-kinds.ts'

/** A preview, an analysis or a trial changes nothing, so the activity log has no entry for it. */
const ACTIONS = {
  PREVIEW_TICKET_IMPORT: undefined,
  TICKET_IMPORT: { start: 'import-started', end: 'import-ended' },
  TICKET_EXPORT: { start: 'export-started', end: 'export-ended' },
  PREVIEW_TICKET_FILL: undefined,
  TICKET_FILL: { start: 'fill-started', end: 'fill-ended' },
  TICKET_SOURCE_ANALYSIS: undefined,
  TICKET_CONVERSION_TRIAL: undefined,
  TICKET_CONVERSION: { start: 'conversion-started', end: 'conversion-ended' },
} as const satisfies Readonly<Record<JobName, { start: Happened['action']; end: Happened['action'] } | undefined>>

/** Accepts a job and records who started it. Returns the id of the job. */
export function acceptRecorded(
  { activity, quota }: { activity: Pick<ActivityLog, 'change'>; quota: JobQuota },
  job: Omit<NewJob, 'startedBy'>,
  caller: { readonly actor: ActingParty },
): Promise<string> {
  const { kind, id, name } = caller.actor
  return activity.change(caller, (tx, note) =>
    acceptNoted({ tx, note, quota }, { ...job, startedBy: { kind, id, name } }),
  )
}

/** Accepts a job in a transaction that records what it notes. */
async function acceptNoted(
  { tx, note, quota }: { tx: Db; note: Note; quota: JobQuota },
  job: NewJob & { startedBy: Actor },
): Promise<string> {
  const jobId = await acceptJob({ db: tx, kinds: JOB_KINDS, quota }, job)
  const action = ACTIONS[job.name]?.start
  // Also for who joins an export that already waits, because they get its package, too. But once: asking again and again
  // must not fill the log.
  const started = { chain: job.organizationId, subject: jobId, actor: job.startedBy.id }
  if (action && !(await isRecorded(tx, { ...started, action }))) note({ ...about({ ...job, id: jobId }), action })
  return jobId
}

/** Accepts an export of a site, in a transaction that records what it notes. Joins one that waits. */
export function acceptExport(
  deps: { tx: Db; note: Note; quota: JobQuota },
  { at, ...job }: { organizationId: string; siteId: string; startedBy: Actor; keyId: string | null; at: number },
): Promise<string> {
  return acceptNoted(deps, { ...job, name: 'TICKET_EXPORT', filename: exportJobName(at), packageVersion: null })
}

/** The name of an export until it has read the name of the site. */
export const exportJobName = (at: number) => `maintenance-requests-${formatTimestamp(at).slice(0, 10)}.fpl`

/** Records how a job ended, in the transaction that resolves it. */
export async function recordEnding(
  activity: Pick<ActivityLog, 'append'>,
  tx: Db,
  job: JobRow,
  { status, output }: ResolvedJob,
): Promise<void> {
  const action = ACTIONS[job.name]?.end
  if (!action) return
  // Counts only: messages of failed jobs may quote the package.
  const counts = {
    ...numbersIn(output),
    ...(output && 'created' in output && { created: output.created }),
    ...(output && 'missing' in output && { missing: output.missing }),
    ...(output && 'fields' in output && { filled: output.tickets.filled, fields: output.fields }),
  }
  const by = { ...SYSTEM, ...job.startedBy }
  await activity.append(tx, by, [
    { ...about(job), action, outcome: status === 'SUCCESS' ? 'done' : 'failed', details: counts },
  ])
}

function about({
  organizationId,
  siteId,
  id,
  filename,
}: Pick<JobRow, 'organizationId' | 'siteId' | 'id' | 'filename'>) {
  return { organizationId, siteId, subject: { kind: 'job', id, name: filename } as const }
}

const numbersIn = (output: object | null) =>
  Object.fromEntries(Object.entries(output ?? {}).filter(([, value]) => typeof value === 'number'))
