import { systemClock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { createLog, type Log } from '@plantroom/base/log'
import type { Job, JobName } from '@plantroom/contract/jobs'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../testing/database.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import type { JobKind, JobKinds } from '../job.ts'
import { createJobStore, type JobStore } from '../job-store.ts'
import { acceptJob, type JobQuota } from '../queue.ts'

export const log: Log = createLog('test', 'silent')
export const clock = systemClock

const kind: JobKind = {
  maxAttempts: 1,
  limitMs: 60_000,
  isOneAtATime: false,
  joinsWaiting: false,
  outputExample: {},
  describeBroken: async (_db, job, { reason }) => `${job.filename} broke: ${reason}`,
}

/** One kind that is retried and runs one at a time, and others that are not. */
export const TEST_KINDS: JobKinds = {
  PREVIEW_TICKET_IMPORT: kind,
  TICKET_IMPORT: { ...kind, maxAttempts: 3, isOneAtATime: true },
  TICKET_EXPORT: kind,
  PREVIEW_TICKET_FILL: kind,
  TICKET_FILL: kind,
  TICKET_SOURCE_ANALYSIS: kind,
  TICKET_CONVERSION_TRIAL: kind,
  TICKET_CONVERSION: kind,
}

export const TEST_QUOTA: JobQuota = { perSite: 2_000, perOrganization: 3_000 }

export interface JobBench {
  url: string
  db: Db
  store: JobStore
  organizationId: string
  siteId: string
  /** Another site of the same organization. */
  otherSiteId: string
  /** A site of another organization. */
  foreignSiteId: string
  accept(name: JobName, filename: string, siteId?: string): Promise<string>
  job(id: string, siteId?: string): Promise<Job>
  /** Waits until the job is resolved. */
  resolved(id: string, siteId?: string): Promise<Job>
  /** Makes jobs that wait for a retry due now. */
  makeDue(): Promise<void>
  /** Makes the lease of every worker expire now. */
  expireLeases(): Promise<void>
}

/** Opens a database with three sites of two organizations for the running test. */
export async function openJobBench(): Promise<JobBench> {
  const url = await createTestDatabase()
  const db = openDatabase({ connectionString: url }, log)
  // Job processes find the database here, as those of a real worker do.
  process.env.DATABASE_URL = url
  onTestFinished(async () => {
    delete process.env.DATABASE_URL
    await db.destroy()
  })
  const [organizationId, foreignOrganizationId] = [newId('org'), newId('org')]
  const [siteId, otherSiteId, foreignSiteId] = [newId('site'), newId('site'), newId('site')]
  await sql`INSERT INTO organization (id, name)
    VALUES (${organizationId}, 'Organization'), (${foreignOrganizationId}, 'Foreign')`.execute(db)
  await sql`INSERT INTO site (id, organization_id, name, maintenance_requests)
    VALUES (${siteId}, ${organizationId}, 'Site', true), (${otherSiteId}, ${organizationId}, 'Other', true),
      (${foreignSiteId}, ${foreignOrganizationId}, 'Foreign', true)`.execute(db)
  const store = createJobStore(db, TEST_KINDS)
  const organizationOf = (site: string) => (site === foreignSiteId ? foreignOrganizationId : organizationId)

  const bench: JobBench = {
    url,
    db,
    store,
    organizationId,
    siteId,
    otherSiteId,
    foreignSiteId,
    accept: (name, filename, site = siteId) =>
      acceptJob(
        { db, kinds: TEST_KINDS, quota: TEST_QUOTA },
        { organizationId: organizationOf(site), siteId: site, name, filename, packageVersion: null, keyId: null },
      ),
    async job(id, site = siteId) {
      const job = await store.find(site, id)
      if (!job) throw new Error(`there is no job ${id}`)
      return job
    },
    resolved: (id, site) =>
      eventually(async () => {
        const job = await bench.job(id, site)
        expect(job).toMatchObject({ resolved: true })
        return job
      }, 50_000),
    async makeDue() {
      await sql`UPDATE job SET due_at = now() WHERE NOT resolved`.execute(db)
    },
    async expireLeases() {
      await sql`UPDATE job SET leased_until = now() WHERE status = 'RUNNING'`.execute(db)
    },
  }
  return bench
}
