import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { foldEmail } from '@plantroom/contract/fold-email'
import type { FillOutput, ImportOptions, ImportOutput, JobName, PreviewOutput } from '@plantroom/contract/jobs'
import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import { writePackage } from '@plantroom/fpl/write-package'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { type DiskStore, openDiskStore, openScratch, packageKey } from '../../../platform/files/index.ts'
import type { JobRow } from '../../../platform/jobs/index.ts'
import { nextAttempt, startJob } from '../../../platform/jobs/testing/attempts.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { type FillDeps, fillFromPackage, previewFill } from '../fill.ts'
import { type ImportDeps, importPackage } from '../import.ts'
import { JOB_KINDS } from '../job-kinds.ts'
import { previewPackage } from '../preview.ts'

export const NOW = Date.parse('2026-05-01T12:00:00.000Z')

export interface Site {
  id: string
  addPeople(...emails: string[]): Promise<void>
  addUnits(...names: string[]): Promise<void>
  addTags(...names: string[]): Promise<void>
  /** Adds a member with an account; an administrator of the organization without a role on the site. */
  addMember(email: string, role: 'admin' | 'manager' | 'viewer'): Promise<string>
  /** All requests with all of their parts, in order of number. */
  tickets(): Promise<Record<string, unknown>[]>
  tags(): Promise<string[]>
  units(): Promise<string[]>
  people(): Promise<{ id: string; email: string; name: string | null }[]>
}

export interface ImportBench {
  db: Db
  /** A second connection pool, as another process would have. */
  otherDb: Db
  /** The address of its database. */
  connectionString: string
  files: DiskStore
  folder: string
  addSite(): Promise<Site>
  /** Stores a package as an upload does. */
  upload(
    site: Site,
    tickets: Iterable<object> | AsyncIterable<object>,
    files?: Record<string, string | Buffer>,
    filename?: string,
  ): Promise<{ filename: string; version: string }>
  /** Starts a job and its first attempt. */
  startJob(
    site: Site,
    name: JobName,
    uploaded: { filename: string; version: string },
    options?: ImportOptions,
  ): Promise<JobRow>
  /** Starts the next attempt. */
  nextAttempt(job: JobRow): Promise<JobRow>
  /** Marks a job as ended: it no longer needs its package. */
  end(job: JobRow): Promise<void>
  preview(job: JobRow, changes?: Partial<ImportDeps>): Promise<PreviewOutput>
  import(job: JobRow, changes?: Partial<ImportDeps> & { signal?: AbortSignal }): Promise<ImportOutput>
  /** Uploads and imports in one step. */
  importRequests(
    site: Site,
    tickets: readonly Partial<ManifestRequest>[],
    files?: Record<string, string | Buffer>,
    options?: ImportOptions,
  ): Promise<ImportOutput>
  previewRequests(
    site: Site,
    tickets: readonly Partial<ManifestRequest>[],
    files?: Record<string, string | Buffer>,
    options?: ImportOptions,
  ): Promise<PreviewOutput>
  previewFill(
    site: Site,
    tickets: readonly Partial<ManifestRequest>[],
    options?: ImportOptions,
    files?: Record<string, string | Buffer>,
  ): Promise<FillOutput>
  fillRequests(
    site: Site,
    tickets: readonly Partial<ManifestRequest>[],
    options?: ImportOptions,
    files?: Record<string, string | Buffer>,
  ): Promise<FillOutput>
  /** Runs one attempt of a fill. */
  fill(job: JobRow, changes?: Partial<FillDeps>): Promise<FillOutput>
}

/** Opens an organization with real files and a real database; jobs run in this process. */
export async function openImportBench(
  forTests: Pick<ImportDeps, 'batchRequests'> = {},
  address?: string,
): Promise<ImportBench> {
  const connectionString = address ?? (await createTestDatabase())
  const [db, otherDb] = [0, 1].map(() => openDatabase({ connectionString }, createLog('test', 'silent'))) as [Db, Db]
  onTestFinished(async () => void (await Promise.all([db.destroy(), otherDb.destroy()])))
  const root = temporaryFolder()
  const scratch = await openScratch(join(root, 'scratch'))
  onTestFinished(() => scratch.close())
  const clock = createManualClock(NOW)
  const files = await openDiskStore({
    folder: join(root, 'files'),
    scratch,
    secret: Buffer.alloc(32),
    baseUrl: () => 'http://localhost',
    clock,
  })
  const folder = join(root, 'jobs')
  await mkdir(folder)
  await sql`INSERT INTO organization (id, name) VALUES ('org', 'Organization')`.execute(db)

  const tools = (job: JobRow, signal = new AbortController().signal) => ({ job, progress() {}, signal })
  const deps = (changes: Partial<ImportDeps>) => ({ db, files, folder, clock, ...forTests, ...changes })
  const end = async (job: JobRow) =>
    void (await sql`UPDATE job SET status = 'ERROR', resolved = true WHERE id = ${job.id}`.execute(db))

  const bench: ImportBench = {
    db,
    otherDb,
    connectionString,
    files,
    folder,
    async addSite() {
      const id = newId('site')
      await sql`INSERT INTO site (id, organization_id, name, maintenance_requests) VALUES (${id}, 'org', ${id}, true)`.execute(
        db,
      )
      return siteOf(db, id)
    },
    async upload(site, tickets, contents = {}, filename = 'package.fpl') {
      const path = scratch.path()
      const attachments = Object.entries(contents).map(([path, content]) => ({ path, content: [Buffer.from(content)] }))
      await writePackage(path, { tickets, attachments })
      const { version } = await files.receive(packageKey('org', site.id, filename), createReadStream(path))
      return { filename, version }
    },
    startJob: (site, name, { filename, version }, options) =>
      startJob(
        { db, kinds: JOB_KINDS },
        { organizationId: 'org', siteId: site.id, name, filename, packageVersion: version, keyId: null, options },
      ),
    nextAttempt: (job) => nextAttempt(db, job.id),
    end,
    preview: (job, changes = {}) => previewPackage(tools(job), deps(changes)),
    import: (job, { signal, ...changes } = {}) => importPackage(tools(job, signal), deps(changes)),
    fill: (job, changes = {}) => fillFromPackage(tools(job), { ...deps({}), ...changes }),
    async importRequests(site, tickets, contents, options) {
      const uploaded = await bench.upload(site, tickets.map(requestWith), contents)
      const job = await bench.startJob(site, 'TICKET_IMPORT', uploaded, options)
      return bench.import(job).finally(() => end(job))
    },
    async previewRequests(site, tickets, contents, options) {
      const uploaded = await bench.upload(site, tickets.map(requestWith), contents)
      const job = await bench.startJob(site, 'PREVIEW_TICKET_IMPORT', uploaded, options)
      return bench.preview(job).finally(() => end(job))
    },
    async previewFill(site, tickets, options, contents) {
      const uploaded = await bench.upload(site, tickets.map(requestWith), contents)
      return previewFill(tools(await bench.startJob(site, 'PREVIEW_TICKET_FILL', uploaded, options)), deps({}))
    },
    async fillRequests(site, tickets, options, contents) {
      const uploaded = await bench.upload(site, tickets.map(requestWith), contents)
      return bench.fill(await bench.startJob(site, 'TICKET_FILL', uploaded, options))
    },
  }
  return bench
}

/** Returns a minimal request with these fields. */
export function requestWith(fields: Partial<ManifestRequest>, index = 0): ManifestRequest {
  return { externalId: `T-${index}`, title: 'Title', state: 'new', ...fields }
}

function siteOf(db: Db, id: string): Site {
  return {
    id,
    async addPeople(...emails) {
      for (const email of emails)
        await db
          .insertInto('person')
          .values({ id: newId('p'), site_id: id, email, email_key: foldEmail(email) })
          .execute()
    },
    async addUnits(...names) {
      for (const name of names)
        await db
          .insertInto('unit')
          .values({ id: newId('u'), site_id: id, name })
          .execute()
    },
    async addTags(...names) {
      for (const name of names)
        await db
          .insertInto('tag')
          .values({ id: newId('t'), site_id: id, name })
          .execute()
    },
    async addMember(email, role) {
      await db
        .insertInto('user_account')
        .values({ id: newId('usr'), email, password_hash: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const accounts = db.selectFrom('user_account').where('email', '=', email).select('id')
      const { id: userId } = await accounts.executeTakeFirstOrThrow()
      const site_id = role === 'admin' ? null : id
      await db.insertInto('membership').values({ user_id: userId, organization_id: 'org', site_id, role }).execute()
      return userId
    },
    async units() {
      const rows = await db.selectFrom('unit').where('site_id', '=', id).select('name').orderBy('name').execute()
      return rows.map(({ name }) => name)
    },
    people: () =>
      db
        .selectFrom('person')
        .where('site_id', '=', id)
        .select(['id', 'email', 'name'])
        .orderBy(sql`email_key COLLATE "C"`)
        .execute(),
    async tags() {
      const rows = await db.selectFrom('tag').where('site_id', '=', id).select('name').orderBy('name').execute()
      return rows.map(({ name }) => name)
    },
    async tickets() {
      const { rows } = await sql<{ ticket: Record<string, unknown> }>`
        SELECT to_jsonb(ticket) - 'id' - 'site_id' - 'job_id' - 'job_position'
          - 'reporter_id' - 'assignee_id' - 'supervisor_id' - 'unit_id' || jsonb_build_object(
          'reporter', (SELECT email FROM person WHERE id = ticket.reporter_id),
          'assignee', (SELECT email FROM person WHERE id = ticket.assignee_id),
          'supervisor', (SELECT email FROM person WHERE id = ticket.supervisor_id),
          'unit', (SELECT name FROM unit WHERE id = ticket.unit_id),
          'tags', ARRAY(SELECT name FROM ticket_tag JOIN tag ON tag.id = tag_id WHERE ticket_id = ticket.id ORDER BY position),
          'watchers', ARRAY(SELECT email FROM ticket_watcher JOIN person ON person.id = person_id WHERE ticket_id = ticket.id ORDER BY position),
          'comments', (SELECT coalesce(jsonb_agg(to_jsonb(c) - 'ticket_id' - 'author_id' || jsonb_build_object(
              'author', (SELECT email FROM person WHERE id = c.author_id)) ORDER BY position), '[]')
            FROM ticket_comment c WHERE ticket_id = ticket.id),
          'attachments', (SELECT coalesce(jsonb_agg(to_jsonb(a) - 'ticket_id' - 'id' ORDER BY comment_position NULLS FIRST, position), '[]')
            FROM ticket_attachment a WHERE ticket_id = ticket.id)
        ) AS ticket
        FROM ticket WHERE site_id = ${id} ORDER BY number`.execute(db)
      return rows.map(({ ticket }) => ticket)
    },
  }
}
