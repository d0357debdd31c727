import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countRequests } from '@plantroom/client/count-requests'
import type { Job } from '@plantroom/contract/jobs'
import { readArchive } from '@plantroom/fpl/testing/read-archive'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bucket, startBucket } from './support/bucket.ts'
import { type CrashingService, startCrashingService } from './support/crashing-service.ts'
import { BATCH, crashingName } from './support/import-crash.ts'
import { importPaused } from './support/import-pause.ts'
import { packageIn, ticket } from './support/package.ts'
import { type PackageService, type PackageSite, startPackageService } from './support/package-service.ts'
import { expectDownloads, expectNothingUnfinished, expectWhole, ticketsOn } from './support/site-audit.ts'
import { makeSource, type SourcePackage } from './support/source-package.ts'

/** Two batches. */
const REQUESTS = BATCH + 50
/** Large enough for a package that is fetched in several ranges and an attachment that is stored in parts. */
const LARGE = randomBytes(18_000_000).toString('base64')
const FILES = { 'attachments/1/photo.jpg': 'the bytes of a photo', 'attachments/1/large.bin': LARGE }
const LEAK = ticket('OLD-1', {
  assignee: 'nobody@example.ee',
  watchers: ['nobody@example.ee', 'jaan@example.ee'],
  unit: 'B-12',
  tags: ['plumbing', 'kitchen'],
  attachments: [{ path: 'attachments/1/photo.jpg', name: "Jaan's photo (õhtul)*.jpg", contentType: 'image/jpeg' }],
  comments: [{ content: 'All of it', attachments: [{ path: 'attachments/1/large.bin' }] }],
})

let bucket: Bucket

beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(() => bucket?.[Symbol.asyncDispose]())

async function start(site: PackageSite, path: '/import/preview' | '/import', filename: string): Promise<string> {
  const { status, body } = await site.call('POST', path, { filename })
  expect(status, body.message).toBe(200)
  return body.jobId
}

const packagesOf = (service: PackageService, { siteId }: PackageSite) =>
  bucket.keysBelow(`packages/${service.orgId}/${siteId}`)
const messageOf = ({ output }: Job) => (output as { message: string }).message

describe('a service whose files are in S3', () => {
  let service: PackageService

  beforeAll(async () => {
    service = await startPackageService(bucket.settings)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test('accepts an upload to the bucket without a key, previews and imports it; a second import skips everything', async () => {
    const site = await service.addSite('Flow')
    await site.client.addPerson({ ...site.ids, body: { email: 'jaan@example.ee', name: 'Jaan' } })
    await site.client.addUnit({ ...site.ids, body: { name: 'A-1' } })
    const name = 'Põhja maja (1) - v2.fpl'
    const tickets = [LEAK, ticket('OLD-2', { unit: 'A-1', tags: ['plumbing'] })]
    const path = await packageIn(service.folder, name, tickets, FILES)
    expect((await site.uploadUrl(name)).body.url).toMatch(`${bucket.endpoint}/`)
    expect((await site.call('POST', '/import/preview', { filename: name })).status).toBe(404)
    await site.upload(path)

    expect((await site.run('/import/preview', name)).output).toEqual({
      tickets: { total: 2, new: 2, existing: 0 },
      comments: 1,
      attachments: 2,
      tagsToCreate: ['plumbing', 'kitchen'],
      unmatchedUnits: ['B-12'],
      unmatchedEmails: [{ email: 'nobody@example.ee', roles: ['assignee', 'watcher'] }],
    })
    expect(await countRequests(site.client, site.ids)).toBe(0)
    expect(bucket.blobsOf(site.siteId)).toEqual([])
    expect(packagesOf(service, site)).toHaveLength(1)

    expect((await site.run('/import', name)).output).toEqual({
      created: { tickets: 2, comments: 1, attachments: 2, tags: 2 },
      skipped: 0,
      unmatchedEmails: [{ email: 'nobody@example.ee', roles: ['assignee', 'watcher'] }],
      unmatchedUnits: ['B-12'],
    })
    expect(packagesOf(service, site)).toEqual([])
    expect((await site.call('POST', '/import', { filename: name })).status).toBe(404)

    const found = await site.client.getRequest({ ...site.ids, number: 1 })
    const files = [...found.attachments, ...found.comments.flatMap(({ attachments }) => attachments)]
    expect(files.map(({ name, size }) => [name, size])).toEqual([
      ["Jaan's photo (õhtul)*.jpg", 20],
      ['large.bin', LARGE.length],
    ])
    const contents = files.map(async ({ id }) => {
      const { url } = await site.client.getAttachmentUrl({ ...site.ids, number: 1, attachmentId: id })
      return bucket.download(url)
    })
    const [photo, large] = await Promise.all(contents)
    expect(String(photo)).toBe('the bytes of a photo')
    expect(large?.equals(Buffer.from(LARGE))).toBe(true)

    await site.upload(path)
    expect((await site.run('/import', name)).output).toMatchObject({
      created: { tickets: 0, comments: 0, attachments: 0, tags: 0 },
      skipped: 2,
    })
    expect(await countRequests(site.client, site.ids)).toBe(2)
    // The service keeps no file on its own disk.
    expect(readdirSync(join(service.folder, 'files'))).toEqual(['unfinished'])
    expectNothingUnfinished(service.folder)
  })

  test('refuses a URL that was changed to another package', async () => {
    const site = await service.addSite('Forged')
    const forged = new URL((await site.uploadUrl('mine.fpl')).body.url)
    forged.pathname = new URL((await site.uploadUrl('other.fpl')).body.url).pathname
    expect((await fetch(forged, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect(packagesOf(service, site)).toEqual([])
  })

  test('keeps a package that is not valid, and fails its preview and its import with the one message', async () => {
    const site = await service.addSite('Invalid')
    await site.upload(await packageIn(service.folder, 'invalid.fpl', [ticket('A', { state: 'broken' })]))
    for (const path of ['/import/preview', '/import'] as const) {
      const job = await site.run(path, 'invalid.fpl')
      expect(job).toMatchObject({ status: 'ERROR', resolved: true, retryCount: 1 })
      expect(messageOf(job)).toMatch(/^Invalid manifest: tickets\[0\]\.state: broken must be one of: new, open/)
      expect(packagesOf(service, site)).toHaveLength(1)
    }
    expect(await countRequests(site.client, site.ids)).toBe(0)
  })

  test('exports a package that imports elsewhere with the same requests and files', async () => {
    const [site, elsewhere] = [await service.addSite('Site'), await service.addSite('Elsewhere')]
    const files = { ...FILES, 'attachments/1/large.bin': 'not that large' }
    await site.upload(await packageIn(service.folder, 'site.fpl', [LEAK, ticket('OLD-2')], files))
    await site.run('/import', 'site.fpl')

    const first = await exported(site)
    expect(first.tickets).toHaveLength(2)
    expect(Object.values(first.files).sort()).toEqual(Object.values(files).sort())
    const path = join(service.folder, first.filename)
    writeFileSync(path, first.bytes)
    await elsewhere.upload(path)
    expect((await elsewhere.run('/import', first.filename)).output).toMatchObject({ created: { tickets: 2 } })
    const second = await exported(elsewhere)
    expect(second.tickets).toEqual(first.tickets)
    expect(second.files).toEqual(first.files)
  })

  async function exported(site: PackageSite) {
    const { output } = await site.run('/export')
    const { url, filename } = output as { url: string; filename: string }
    const bytes = await bucket.download(url)
    const { 'manifest.json': manifest = '', ...files } = Object.fromEntries(
      [...(await readArchive(bytes))].map(([path, content]) => [path, String(content)]),
    )
    return { bytes, filename, files, tickets: JSON.parse(manifest).tickets as object[] }
  }
})

describe('a service whose files are in S3 and whose import', () => {
  let service: CrashingService
  let source: SourcePackage

  beforeAll(async () => {
    service = await startCrashingService({ workers: 1, settings: bucket.settings })
    source = await makeSource(service.folder, REQUESTS)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  const expectAll = async (site: PackageSite) => {
    await expectWhole({ ...service, blobsOf: bucket.blobsOf }, site, source)
    await expectDownloads(bucket.downloading(site), source, [1, 81, 141])
  }

  test('is killed with its worker twice creates every request once, with its files', async () => {
    const site = await service.addSite('Killed')
    const filename = crashingName([
      { at: 'written', nth: 1, end: 'both' },
      { at: 'committed', nth: 1, end: 'both' },
    ])
    const jobId = await start(site, '/import', await source.uploadAs(site, filename))
    expect(await site.resolved(jobId)).toMatchObject({
      status: 'SUCCESS',
      retryCount: 3,
      output: { created: source.counts, skipped: 0 },
    })
    await expectAll(site)
    expect(packagesOf(service, site)).toEqual([])
    expectNothingUnfinished(service.data)
  })

  // As on disk, which every run of the suite tests.
  test.runIf(isCampaign)('has its package replaced midway imports the accepted one and keeps the new one', async () => {
    const site = await service.addSite('Replaced in the middle')
    const filename = crashingName([{ at: 'committed', nth: 1, end: 'pause' }])
    const jobId = await start(site, '/import', await source.uploadAs(site, filename))
    const held = await importPaused(service.data, site.siteId)
    const other = await makeSource(mkdtempSync(join(service.folder, 'other-')), 3)
    await other.uploadAs(site, filename)
    held.resume()
    expect(await site.resolved(jobId)).toMatchObject({ status: 'SUCCESS', output: { created: source.counts } })
    await expectAll(site)
    expect((await site.run('/import/preview', filename)).output).toMatchObject({ tickets: { total: 3, existing: 3 } })
  })

  test.runIf(isCampaign)(
    'has its package replaced before it starts fails with that reason and writes nothing',
    async () => {
      const site = await service.addSite('Replaced before')
      const filename = await source.uploadAs(site, 'site.fpl')
      service.workers[0]?.signal('SIGSTOP')
      const jobId = await start(site, '/import', filename)
      const other = await makeSource(mkdtempSync(join(service.folder, 'other-')), 3)
      await other.uploadAs(site, filename)
      service.workers[0]?.signal('SIGCONT')
      const job = await site.resolved(jobId)
      expect(job).toMatchObject({ status: 'ERROR', retryCount: 1 })
      expect(messageOf(job)).toMatch(/replaced by another upload of the same name: start again/)
      expect(await ticketsOn(service.db, site.siteId)).toEqual([])
      expect((await site.run('/import', filename)).output).toMatchObject({ created: { tickets: 3 } })
    },
  )
})
