import { systemClock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { createLog, type Log } from '@plantroom/base/log'
import type { Job, JobName } from '@plantroom/contract/jobs'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../../db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createJobStore } from '../job-store.ts'
import { type JobQueue, openJobQueue } from '../queue.ts'
import { acceptJob } from '../transitions.ts'

export const log: Log = createLog('test', 'silent')
export const clock = systemClock

export interface JobBench {
  url: string
  db: Db
  queue: JobQueue
  organizationId: string
  siteId: string
  /** Another site of the same organization. */
  otherSiteId: string
  accept(name: JobName, filename: string, siteId?: string): Promise<string>
  job(id: string, siteId?: string): Promise<Job>
  /** Waits until the job is resolved. */
  resolved(id: string, siteId?: string): Promise<Job>
  /** As if the lease of every worker had run out. */
  letLeasesEnd(): Promise<void>
}

/** A database with a queue and two sites, for the running test. */
export async function openJobBench(): Promise<JobBench> {
  const url = await createTestDatabase()
  const db = openDatabase({ connectionString: url }, log)
  const queue = await openJobQueue({ address: { connectionString: url }, connections: 4, log })
  // Where the processes of jobs find it, as those of a real worker do.
  process.env.DATABASE_URL = url
  onTestFinished(async () => {
    delete process.env.DATABASE_URL
    await queue.close()
    await db.destroy()
  })
  const organizationId = newId('org')
  const [siteId, otherSiteId] = [newId('site'), newId('site')]
  await sql`INSERT INTO organization (id, name) VALUES (${organizationId}, 'Organization')`.execute(db)
  await sql`INSERT INTO site (id, organization_id, name, maintenance_requests)
    VALUES (${siteId}, ${organizationId}, 'Site', true), (${otherSiteId}, ${organizationId}, 'Other', true)`.execute(db)
  const store = createJobStore(db)

  const bench: JobBench = {
    url,
    db,
    queue,
    organizationId,
    siteId,
    otherSiteId,
    accept: (name, filename, site = siteId) =>
      acceptJob({ db, queue }, { organizationId, siteId: site, name, filename, packageVersion: null, keyId: null }),
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
      }, 20_000),
    async letLeasesEnd() {
      await sql`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 hour' WHERE state = 'active'`.execute(db)
    },
  }
  return bench
}
