import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../../platform/db/database.ts'
import type { JobRow, ResolvedJob } from '../../platform/jobs/index.ts'
import { createAlertStore } from './alert-store.ts'

/** Opens an alert for an import that failed, and closes those of the site when one succeeds, in the transaction of the job. */
export async function alertAboutImport(
  tx: Db,
  job: Pick<JobRow, 'id' | 'name' | 'organizationId' | 'siteId' | 'filename'>,
  { status }: Pick<ResolvedJob, 'status'>,
  clock: Clock,
): Promise<void> {
  if (job.name !== 'TICKET_IMPORT') return
  const { id, organizationId, siteId, filename } = job
  const store = createAlertStore(tx)
  const now = clock.now()
  if (status === 'SUCCESS') {
    const open = await store.openImports(siteId)
    return store.close(open.map((alertId) => ({ id: alertId, at: now })))
  }
  if (!(await store.rulesOf(organizationId)).rules['import-failed'].enabled) return
  const subject = { kind: 'job', id, name: filename } as const
  const about = { kind: 'import-failed', organizationId, siteId, deviceId: null, deviceName: null } as const
  await store.open([{ ...about, subject, details: {}, since: now }], new Date(now))
}
