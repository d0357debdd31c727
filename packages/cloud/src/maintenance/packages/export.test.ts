import { readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { exportKey } from '../../platform/files/index.ts'
import { createExportStore } from '../requests/index.ts'
import { exportPackage } from './export.ts'
import { withDownloadUrl } from './job-routes.ts'
import { openExportBench, SCHEMA_URL } from './testing/export-bench.ts'
import { type ImportBench, NOW, requestWith, type Site } from './testing/import-bench.ts'

const PEOPLE = ['mari@example.ee', 'Juri@example.ee', 'õie@näide.ee']
const noise = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 251))

/** A request with a value in every field. */
const FULL: ManifestRequest = {
  externalId: 'old/õ-1 "quoted"',
  title: '  Kraan tilgub 🔧 ',
  state: 'resolved',
  description: 'Line one\r\nline two\u2028\tend \\ "',
  notes: '',
  resolutionSummary: 'New seal',
  priority: 0,
  language: 'et',
  tone: 'frustrated',
  scope: 'common_area',
  safetyHazard: false,
  reporter: { email: 'Mari@Example.ee', name: '', phone: '+372 5' },
  assignee: 'JURI@example.ee',
  supervisor: 'mari@example.ee',
  watchers: ['õie@näide.ee', 'nobody@example.ee', 'mari@example.ee'],
  unit: ' A-1 ',
  tags: ['water', ' urgent ', 'water'],
  ccEmails: ['b@example.ee', 'a@example.ee', 'b@example.ee'],
  feedback: -3,
  feedbackText: 'Slow',
  createdAt: '2020-02-29T10:00:00.123456+02:00',
  updatedAt: '2021-01-01T00:00:00Z',
  resolvedAt: '2021-01-02T00:00:00Z',
  stateChangedAt: '2021-01-03T00:00:00Z',
  attachments: [
    { path: 'attachments/photo.jpg', name: 'pildid/Köök.JPG', contentType: 'image/jpeg' },
    { path: 'attachments/empty' },
    { path: 'attachments/photo.jpg', name: 'again.jpg' },
  ],
  comments: [
    { content: 'From text', author: { name: 'Somebody' }, createdAt: '2020-03-01T00:00:00Z' },
    { content: '', attachments: [{ path: 'attachments/large.bin', name: '…' }] },
    { content: 'Linked', author: { email: 'juri@EXAMPLE.ee' }, attachments: [{ path: 'attachments/copy.jpg' }] },
  ],
}
const FILES = {
  'attachments/photo.jpg': 'photo',
  'attachments/copy.jpg': 'photo',
  'attachments/empty': '',
  'attachments/large.bin': noise,
}

async function furnished(bench: ImportBench): Promise<Site> {
  const site = await bench.addSite()
  await site.addPeople(...PEOPLE)
  await site.addUnits('A-1')
  return site
}

async function open() {
  const bench = await openExportBench()
  return { bench, site: await furnished(bench) }
}

describe('an export', () => {
  test('contains everything the site has about its requests', async () => {
    const { bench, site } = await open()
    await bench.importRequests(
      site,
      [FULL, requestWith({ externalId: 'plain', createdAt: '2020-01-01T00:00:00Z' })],
      FILES,
    )
    const { manifest, report, output, files } = await bench.exportSite(site)
    expect(report).toMatchObject({ valid: true, message: null, tickets: 2, comments: 3, attachments: 5 })
    expect(manifest).toEqual({
      $schema: SCHEMA_URL,
      version: '1.0',
      exportedAt: new Date(NOW).toISOString(),
      tickets: [
        {
          ...FULL,
          number: 1,
          reporter: { email: 'Mari@Example.ee', name: '', phone: '+372 5' },
          assignee: 'Juri@example.ee',
          watchers: ['õie@näide.ee', 'mari@example.ee'],
          unit: 'A-1',
          tags: ['water', 'urgent'],
          createdAt: '2020-02-29T08:00:00.123Z',
          updatedAt: '2021-01-01T00:00:00.000Z',
          resolvedAt: '2021-01-02T00:00:00.000Z',
          stateChangedAt: '2021-01-03T00:00:00.000Z',
          attachments: [
            { path: 'attachments/1/1-Kook.JPG', name: 'pildid/Köök.JPG', contentType: 'image/jpeg' },
            { path: 'attachments/1/2-empty', name: 'empty' },
            { path: 'attachments/1/1-Kook.JPG', name: 'again.jpg' },
          ],
          comments: [
            { content: 'From text', author: { name: 'Somebody' }, createdAt: '2020-03-01T00:00:00.000Z' },
            { content: '', attachments: [{ path: 'attachments/1/4-_', name: '…' }] },
            {
              content: 'Linked',
              author: { email: 'juri@EXAMPLE.ee' },
              attachments: [{ path: 'attachments/1/1-Kook.JPG', name: 'copy.jpg' }],
            },
          ],
        },
        {
          externalId: 'plain',
          number: 2,
          title: 'Title',
          state: 'new',
          createdAt: '2020-01-01T00:00:00.000Z',
          stateChangedAt: '2020-01-01T00:00:00.000Z',
        },
      ],
    })
    expect([...files.keys()]).toEqual(['attachments/1/1-Kook.JPG', 'attachments/1/2-empty', 'attachments/1/4-_'])
    expect(files.get('attachments/1/4-_')?.equals(noise)).toBe(true)
    expect(output).toMatchObject({ tickets: 2, comments: 3, attachments: 5 })
  })

  test('survives a round trip through an empty site with the same people and units', async () => {
    const { bench, site } = await open()
    const states = ['new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled'] as const
    await bench.importRequests(site, [requestWith({ externalId: 'gone' })])
    const priorities = [0, 1, 2, 3] as const
    const rest = states.map((state, index) =>
      requestWith({ externalId: `s-${state}`, state, priority: priorities[index % 4] ?? null }),
    )
    await bench.importRequests(site, [FULL, ...rest], FILES)
    // The other site assigns other numbers, so anything derived from a number would differ.
    await sql`DELETE FROM ticket WHERE external_id = 'gone'`.execute(bench.db)
    await sql`UPDATE ticket SET resolved_at = NULL WHERE external_id = 's-closed'`.execute(bench.db)
    const first = await bench.exportSite(site)

    const other = await furnished(bench)
    await bench.importRequests(other, first.manifest.tickets, Object.fromEntries(first.files))
    const second = await bench.exportSite(other)
    const withoutNumbers = ({ tickets }: typeof first.manifest) => tickets.map(({ number: _, ...rest }) => rest)
    expect(first.manifest.tickets.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(second.manifest.tickets.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(withoutNumbers(second.manifest)).toEqual(withoutNumbers(first.manifest))
    expect(second.files).toEqual(first.files)
  })

  test('of a site without requests is a valid empty package', async () => {
    const { bench, site } = await open()
    const { manifest, report, output } = await bench.exportSite(site)
    expect([report.valid, manifest.tickets]).toEqual([true, []])
    expect(output).toMatchObject({ tickets: 0, comments: 0, attachments: 0, bytes: expect.any(Number) })
  })

  test('contains nothing of another site', async () => {
    const { bench, site } = await open()
    const other = await furnished(bench)
    await bench.importRequests(other, [FULL], FILES)
    const { manifest, files } = await bench.exportSite(site)
    expect([manifest.tickets, files.size]).toEqual([[], 0])
  })

  test('does not depend on the page size', async () => {
    const { bench, site } = await open()
    const tickets = Array.from({ length: 25 }, (_, index) =>
      requestWith({
        externalId: `T-${index}`,
        description: 'x'.repeat((index % 5) * 1000),
        comments: Array.from({ length: index % 4 }, (_, place) => ({ content: `${index}.${place}` })),
      }),
    )
    await bench.importRequests(site, tickets)
    const whole = await bench.exportSite(site)
    expect(whole.manifest.tickets.map(({ externalId }) => externalId)).toEqual(tickets.map((one) => one.externalId))
    for (const page of [{ pageRequests: 1 }, { pageRequests: 7 }, { pageBytes: 0 }, { pageBytes: 5_000 }]) {
      const { manifest } = await bench.exportSite(site, { store: createExportStore(bench.db, page) })
      expect(manifest.tickets).toEqual(whole.manifest.tickets)
    }
  })

  test('is a snapshot, unaffected by writes while it runs', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [FULL, requestWith({ externalId: 'second' })], FILES)
    const store = createExportStore(bench.db, { pageRequests: 1 })
    const disturbed: typeof store = {
      async open(siteId) {
        const snapshot = await store.open(siteId)
        async function* requests() {
          for await (const request of snapshot.requests()) {
            yield request
            await sql`UPDATE ticket SET title = 'changed'`.execute(bench.otherDb)
            await sql`DELETE FROM ticket_comment`.execute(bench.otherDb)
            await bench.importRequests(site, [requestWith({ externalId: 'third' })])
          }
        }
        return { ...snapshot, requests }
      },
    }
    const { manifest, report } = await bench.exportSite(site, { store: disturbed })
    expect(report).toMatchObject({ valid: true, tickets: 2, comments: 3 })
    expect(manifest.tickets.map(({ title }) => title)).toEqual([FULL.title, 'Title'])
  })

  test('describes a linked person with the data of the site', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [requestWith({ reporter: { email: 'mari@example.ee' } })])
    await sql`UPDATE ticket SET reporter_email = NULL`.execute(bench.db)
    await sql`UPDATE person SET name = 'Mari', phone = '5' WHERE email = 'mari@example.ee'`.execute(bench.db)
    const { manifest } = await bench.exportSite(site)
    expect(manifest.tickets[0]?.reporter).toEqual({ email: 'mari@example.ee', name: 'Mari', phone: '5' })
  })

  test('reports its progress in requests, then in bytes', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [FULL, requestWith({})], FILES)
    const { progress } = await bench.exportSite(site)
    expect(progress).toContainEqual({ stage: 'requests', done: 2, total: 2 })
    const bytes = noise.length + 'photo'.length
    expect(progress.at(-1)).toEqual({ stage: 'files', done: bytes, total: bytes })
  })
})

describe('a failing export', () => {
  const left = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.fpl') || name.includes('.fpl.'))
  const run = async (bench: Awaited<ReturnType<typeof open>>['bench'], site: Site, changes = {}) => {
    const job = await bench.startExport(site)
    const tools = { job, progress() {}, signal: new AbortController().signal }
    const error: unknown = await exportPackage(tools, { ...bench.deps, ...changes }).then(
      () => expect.unreachable(),
      (caught) => caught,
    )
    expect(left(bench.folder)).toEqual([])
    expect(await bench.files.stat(exportKey(site.id, job.id))).toBeUndefined()
    return error
  }

  test('names the attachment whose file is missing', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [FULL], FILES)
    await rm(join(bench.folder, '../files/blobs', site.id), { recursive: true })
    expect(await run(bench, site)).toMatchObject({
      final: true,
      message: expect.stringContaining('request #1: its attachment pildid/Köök.JPG is missing'),
    })
  })

  test('names the attachment whose file is damaged', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [FULL], FILES)
    const read = async () => Readable.from([Buffer.from('rotten')])
    expect(await run(bench, site, { files: { ...bench.files, read } })).toMatchObject({
      final: true,
      message: expect.stringContaining('its attachment pildid/Köök.JPG is damaged'),
    })
  })

  test('says when Maintenance Requests were turned off in the meantime', async () => {
    const { bench, site } = await open()
    await sql`UPDATE site SET maintenance_requests = false`.execute(bench.db)
    expect(await run(bench, site)).toMatchObject({ final: true, message: expect.stringContaining('turned off') })
  })

  test('names the request that an import would reject', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [requestWith({ assignee: 'mari@example.ee' })])
    await sql`UPDATE person SET email = 'mari' WHERE email = 'mari@example.ee'`.execute(bench.db)
    expect(await run(bench, site)).toMatchObject({
      final: true,
      message: expect.stringContaining('tickets[0].assignee: mari is not a valid email'),
    })
  })

  test('reports a full disk', async () => {
    const { bench, site } = await open()
    const put = async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }
    expect(await run(bench, site, { files: { ...bench.files, put } })).toMatchObject({
      message: expect.stringContaining('the disk is full'),
    })
  })

  test('leaves nothing behind when it is stopped, and closes its snapshot', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [FULL], FILES)
    const job = await bench.startExport(site)
    const stop = new AbortController()
    const tools = { job, progress: () => stop.abort(new Error('given back')), signal: stop.signal }
    await expect(exportPackage(tools, bench.deps)).rejects.toThrow('given back')
    expect(left(bench.folder)).toEqual([])
    const { rows } = await sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`.execute(bench.otherDb)
    expect(rows).toEqual([])
  })

  test('can run again for the same job', async () => {
    const { bench, site } = await open()
    await bench.importRequests(site, [FULL], FILES)
    const job = await bench.startExport(site)
    const tools = { job, progress() {}, signal: new AbortController().signal }
    await writeFile(join(bench.folder, `${job.id}.fpl`), 'of an attempt that was killed')
    const first = await exportPackage(tools, bench.deps)
    expect(await exportPackage(tools, bench.deps)).toEqual(first)
    expect((await bench.files.stat(exportKey(site.id, job.id)))?.size).toBe(first.bytes)
  })
})

test('withDownloadUrl gives exports a fresh address and leaves other jobs unchanged', async () => {
  const { bench, site } = await open()
  const { job, output } = await bench.exportSite(site)
  const shape = { id: job.id, retryCount: 1, maxAttempts: 1, scheduled: '', progress: null, resolved: true }
  const done = { ...shape, name: 'TICKET_EXPORT', status: 'SUCCESS', output } as const
  const shown = await withDownloadUrl(done, site.id, bench.files)
  expect(shown.output).toEqual({ ...output, url: expect.stringMatching(/^http:\/\/localhost\/downloads\/exports\//) })
  const removed = { ...done, output: { ...output, url: '' } }
  const failed = { ...done, status: 'ERROR', output: { message: 'No' } } as const
  for (const other of [removed, failed, { ...done, name: 'TICKET_IMPORT' } as const]) {
    expect(await withDownloadUrl(other, site.id, bench.files)).toEqual(other)
  }
})
