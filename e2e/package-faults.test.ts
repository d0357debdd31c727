import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countRequests } from '@plantroom/client/count-requests'
import type { ImportOutput, Job, PreviewOutput } from '@plantroom/contract/jobs'
import { buildZip } from '@plantroom/fpl/testing/zip-builder'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CrashingService, startCrashingService } from './support/crashing-service.ts'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { BATCH, crashingName } from './support/import-crash.ts'
import { importPaused } from './support/import-pause.ts'
import { packageIn, ticket } from './support/package.ts'
import type { PackageSite } from './support/package-service.ts'
import { type ResizableDisk, resizableDisk } from './support/resizable-disk.ts'
import {
  descriptionOf,
  expectNothingUnfinished,
  expectWhole,
  isResolved,
  rowsOf,
  sha256,
  ticketsOn,
  treeOf,
} from './support/site-audit.ts'
import { MAY_MOUNT } from './support/small-disk.ts'
import { makeSource, type SourcePackage } from './support/source-package.ts'

/** Two batches. */
const REQUESTS = BATCH + 50
const HELD = crashingName([{ at: 'committed', nth: 1, end: 'pause' }])

let service: CrashingService
let source: SourcePackage

let sites = 0
const newSite = () => {
  sites += 1
  return service.addSite(`Site ${sites}`)
}

async function start(site: PackageSite, path: '/import/preview' | '/import', filename: string): Promise<string> {
  const { status, body } = await site.call('POST', path, { filename })
  expect(status, body.message).toBe(200)
  return body.jobId
}

const messageOf = ({ output }: Job) => (output as { message: string }).message
const isUploaded = async (site: PackageSite, filename: string) =>
  (await site.call('POST', '/import/preview', { filename })).status === 200

describe('a service', () => {
  beforeAll(async () => {
    service = await startCrashingService({ workers: 1 })
    source = await makeSource(service.folder, REQUESTS)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  describe('that previews a package', () => {
    test('writes nothing: no row of the site and no file', async () => {
      const site = await newSite()
      await site.client.addUnit({ ...site.ids, body: { name: 'A-1' } })
      const filename = await source.uploadAs(site, 'Põhja maja (2).fpl')
      const before = { rows: await rowsOf(service.db), files: filesOf(service.data) }
      const { output } = await site.run('/import/preview', filename)
      expect(output).toMatchObject({ tickets: { total: REQUESTS, new: REQUESTS, existing: 0 } })
      expect({ rows: await rowsOf(service.db), files: filesOf(service.data) }).toEqual(before)
      expectNothingUnfinished(service.data)
    })
  })

  describe('whose package', () => {
    test('is replaced during the import imports the accepted one and keeps the new one', async () => {
      const site = await newSite()
      const jobId = await start(site, '/import', await source.uploadAs(site, HELD))
      const held = await importPaused(service.data, site.siteId)
      const other = await makeSource(mkdtempSync(join(service.folder, 'other-')), 3)
      await other.uploadAs(site, HELD)
      held.resume()
      expect(await site.resolved(jobId)).toMatchObject({ status: 'SUCCESS', output: { created: source.counts } })
      await expectWhole(service, site, source)
      expect((await site.run('/import/preview', HELD)).output).toMatchObject({ tickets: { total: 3, existing: 3 } })
    })

    test.runIf(isCampaign)('is replaced before its import begins fails it, and says so', async () => {
      const site = await newSite()
      const filename = await source.uploadAs(site, 'site.fpl')
      const held = await another(site)
      const jobId = await start(site, '/import', filename)
      const other = await makeSource(mkdtempSync(join(service.folder, 'other-')), 3)
      await other.uploadAs(site, filename)
      held.resume()
      const job = await site.resolved(jobId)
      expect(job).toMatchObject({ status: 'ERROR', retryCount: 1 })
      expect(messageOf(job)).toMatch(/replaced by another upload of the same name: start again/)
      expect((await site.run('/import', filename)).output).toMatchObject({ skipped: 3 })
    })

    test('is deleted during the import is imported completely', async () => {
      const site = await newSite()
      const jobId = await start(site, '/import', await source.uploadAs(site, HELD))
      const held = await importPaused(service.data, site.siteId)
      rmSync(join(service.data, 'files/packages', service.orgId, site.siteId), { recursive: true })
      held.resume()
      expect(await site.resolved(jobId)).toMatchObject({ status: 'SUCCESS', output: { created: source.counts } })
      await expectWhole(service, site, source)
    })

    test.each(['/import/preview', '/import'] as const)(
      'is deleted before %s starts fails with that reason',
      async (path) => {
        const site = await newSite()
        const filename = await source.uploadAs(site, 'site.fpl')
        // A worker runs one job of a kind at a time; to keep a preview from starting, stop the worker.
        service.workers[0]?.signal('SIGSTOP')
        const jobId = await start(site, path, filename)
        rmSync(join(service.data, 'files/packages', service.orgId, site.siteId), { recursive: true })
        service.workers[0]?.signal('SIGCONT')
        const job = await site.resolved(jobId)
        expect(job).toMatchObject({ status: 'ERROR', retryCount: 1 })
        expect(messageOf(job)).toMatch(/the file is gone: upload it again/)
        expect(await ticketsOn(service.db, site.siteId)).toEqual([])
      },
    )

    /** An import of the site that keeps the next one waiting, of the same requests. */
    async function another(site: PackageSite) {
      await start(site, '/import', await source.uploadAs(site, HELD))
      return await importPaused(service.data, site.siteId)
    }
  })

  describe('whose site is switched off', () => {
    test('during an import ends it after a complete batch with that reason; a new import resumes it', async () => {
      const site = await newSite()
      const filename = await source.uploadAs(site, HELD)
      const jobId = await start(site, '/import', filename)
      const held = await importPaused(service.data, site.siteId)
      await service.admin.updateSite({
        orgId: service.orgId,
        siteId: site.siteId,
        body: { maintenanceRequests: false },
      })
      expect((await site.call('GET', `/jobs/${jobId}`)).status).toBe(200)
      held.resume()
      await eventually(async () => expect(await isResolved(service.db, jobId)).toBe(true))
      await service.admin.updateSite({ orgId: service.orgId, siteId: site.siteId, body: { maintenanceRequests: true } })
      const job = await site.resolved(jobId)
      expect(job).toMatchObject({ status: 'ERROR', retryCount: 1 })
      expect(messageOf(job)).toMatch(/^The import stopped at request 101 .*: Maintenance Requests are turned off/)
      expect(await ticketsOn(service.db, site.siteId)).toHaveLength(BATCH)

      const { output } = await site.run('/import', await source.uploadAs(site, 'again.fpl'))
      expect(output).toMatchObject({ created: { tickets: REQUESTS - BATCH }, skipped: BATCH })
      await expectWhole(service, site, source)
    })

    test.runIf(isCampaign)('between the call and the preview ends the preview with that reason', async () => {
      const site = await newSite()
      const filename = await source.uploadAs(site, 'site.fpl')
      service.workers[0]?.signal('SIGSTOP')
      const jobId = await start(site, '/import/preview', filename)
      await service.admin.updateSite({
        orgId: service.orgId,
        siteId: site.siteId,
        body: { maintenanceRequests: false },
      })
      service.workers[0]?.signal('SIGCONT')
      await eventually(async () => expect(await isResolved(service.db, jobId)).toBe(true))
      await service.admin.updateSite({ orgId: service.orgId, siteId: site.siteId, body: { maintenanceRequests: true } })
      const job = await site.resolved(jobId)
      expect(job).toMatchObject({ status: 'ERROR', output: { message: expect.stringContaining('are turned off') } })
    })
  })

  describe('that receives texts which cannot be stored', () => {
    const NUL = 'must not hold the character U+0000'
    const HALF = 'must be well-formed Unicode'

    const UNFIT: readonly [path: string, rule: string, fields: object][] = [
      ['description', NUL, { description: 'a\u0000b' }],
      ['title', HALF, { title: 'a\ud800b' }],
      ['externalId', NUL, { externalId: 'A\u0000' }],
      ['unit', HALF, { unit: '\udc00' }],
      ['tags[1]', NUL, { tags: ['fine', 'a\u0000'] }],
      ['comments[0].content', NUL, { comments: [{ content: 'a\u0000' }] }],
      ['comments[0].author.name', HALF, { comments: [{ content: 'a', author: { name: '\ud800' } }] }],
      ['reporter.phone', NUL, { reporter: { phone: '1\u0000' } }],
    ]

    test('reports the place of each, escaped, and imports nothing', async () => {
      const site = await newSite()
      const tickets = UNFIT.map(([, , fields], index) => ticket(`A-${index}`, fields))
      await site.upload(await packageIn(service.folder, 'unfit.fpl', tickets))
      for (const call of ['/import/preview', '/import'] as const) {
        const job = await site.run(call, 'unfit.fpl')
        expect(job).toMatchObject({ status: 'ERROR', resolved: true, retryCount: 1 })
        const problems = messageOf(job).replace('Invalid manifest: ', '').split('; ')
        expect(problems).toHaveLength(UNFIT.length)
        for (const [index, [path, rule]] of UNFIT.entries()) {
          expect(problems[index]?.startsWith(`tickets[${index}].${path}: `), problems[index]).toBe(true)
          expect(problems[index]?.endsWith(` ${rule}`), problems[index]).toBe(true)
        }
        expect([messageOf(job).includes('\0'), messageOf(job).isWellFormed()]).toEqual([false, true])
        const { body } = await site.call('GET', `/jobs/${job.id}/problems`)
        expect(body.problems).toHaveLength(UNFIT.length)
      }
      expect(await ticketsOn(service.db, site.siteId)).toEqual([])
    })

    test('imports all others unchanged', async () => {
      const site = await newSite()
      const text = 'õ 😀 \u0001\u200f\u2028"\\\n\t\u007f ￿'
      const fields = { title: text, description: text, tags: [text.trim()], comments: [{ content: text }] }
      await site.upload(await packageIn(service.folder, 'odd.fpl', [ticket(text, fields)]))
      expect(await site.run('/import', 'odd.fpl')).toMatchObject({ status: 'SUCCESS' })
      expect(await site.client.getRequest({ ...site.ids, number: 1 })).toMatchObject({
        ...fields,
        externalId: text,
        comments: [{ content: text }],
      })
    })
  })

  describe.runIf(isCampaign)('that receives a description of 90 MB', () => {
    const texts = [['õ', 45_000_000] as const, ['a', 90_000_000] as const]
    test.each(texts)('of "%s" takes it whole, or says that it cannot, and lives on', async (letter, length) => {
      const site = await newSite()
      const description = letter.repeat(length)
      const data = JSON.stringify({ version: '1.0', tickets: [ticket('A'), ticket('B', { description }), ticket('C')] })
      const file = join(service.folder, 'long.fpl')
      writeFileSync(file, buildZip([{ name: 'manifest.json', data, method: 8 }]))
      await site.upload(file)
      const preview = await site.run('/import/preview', 'long.fpl')
      const job = await site.run('/import', 'long.fpl')
      expect(preview.status, 'both say the same').toBe(job.status)
      if (job.status === 'SUCCESS') {
        expect((preview.output as PreviewOutput).tickets).toEqual({ total: 3, new: 3, existing: 0 })
        expect((job.output as ImportOutput).created.tickets).toBe(3)
        expect(await countRequests(site.client, site.ids)).toBe(3)
        expect(await descriptionOf(service.db, site.siteId, 'B')).toEqual({ length, sha256: sha256(description) })
        // The API does not return all of it.
        const shown = (await site.client.getRequest({ ...site.ids, number: 2 })).description ?? ''
        expect(shown === `${description.slice(0, 1_000_000)}…`).toBe(true)
        expect((await site.client.listRequests(site.ids)).tickets).toHaveLength(3)
        expect(await site.run('/export')).toMatchObject({ status: 'SUCCESS', output: { tickets: 3 } })
      } else {
        expect(messageOf(job)).toMatch(/memory|too long/)
        expect(await ticketsOn(service.db, site.siteId)).toEqual([])
        expect(await isUploaded(site, 'long.fpl')).toBe(true)
      }
      expectNothingUnfinished(service.data)
    })
  })

  describe('that keeps sites apart', () => {
    test('shows a key of another site no jobs, files or attachments', async () => {
      const [site, other] = [await newSite(), await newSite()]
      const filename = await source.uploadAs(site, 'site.fpl')
      const preview = await site.run('/import/preview', filename)
      const imported = await site.run('/import', filename)
      const exported = await site.run('/export')
      await source.uploadAs(site, 'mine.fpl')
      const [attachment] = (await site.client.getRequest({ ...site.ids, number: 1 })).attachments
      const key = await service.newKey(['ticket:read_write'], [other.siteId])
      const jobs = [preview, imported, exported].map(({ id }) => id)

      const base = `${service.cloud.ready.baseUrl}/api/orgs/${service.orgId}/properties`
      const asked = async (siteId: string, path: string, apiKey: string) => {
        const response = await fetch(`${base}/${siteId}${path}`, { headers: { 'x-api-key': apiKey } })
        return { status: response.status, text: await response.text() }
      }
      const paths = [
        ...jobs.flatMap((id) => ['', '/problems', '/numbers'].map((rest) => `/ticket-packages/jobs/${id}${rest}`)),
        `/tickets/1/attachments/${attachment?.id}`,
        '/tickets/1',
        '/tickets/1/comments',
      ]
      const lists = ['/ticket-packages/jobs', '/tickets', '/outbox', '/tags']
      for (const path of [...paths, ...lists]) {
        expect([path, (await asked(site.siteId, path, key)).status]).toEqual([path, 403])
      }
      // Ids of one site mean nothing on another, even to a key that may see both.
      for (const apiKey of [key, service.apiKey]) {
        for (const path of paths) expect([path, (await asked(other.siteId, path, apiKey)).status]).toEqual([path, 404])
        for (const path of lists) {
          const { status, text } = await asked(other.siteId, path, apiKey)
          expect([path, status, /OLD-|job_|tag \d/.test(text)]).toEqual([path, 200, false])
        }
      }
      const theirs = service.siteFor(other.siteId, key)
      expect((await theirs.call('POST', '/import', { filename: 'mine.fpl' })).status).toBe(404)
      expect((await service.siteFor(site.siteId, key).call('POST', '/import', { filename: 'mine.fpl' })).status).toBe(
        403,
      )
    })

    test('serves no file of one site under the URL of another', async () => {
      const [site, other] = [await newSite(), await newSite()]
      for (const each of [site, other]) await each.run('/import', await source.uploadAs(each, 'site.fpl'))
      const addressOn = async (each: PackageSite) => {
        const [attachment] = (await each.client.getRequest({ ...each.ids, number: 1 })).attachments
        const { url } = await each.client.getAttachmentUrl({
          ...each.ids,
          number: 1,
          attachmentId: attachment?.id ?? '',
        })
        return new URL(url)
      }
      const [mine, theirs] = [await addressOn(site), await addressOn(other)]
      expect((await fetch(theirs)).status).toBe(200)
      const forged = new URL(theirs)
      forged.search = mine.search
      expect((await fetch(forged)).status).toBe(403)
      // Nor a package: packages cannot be downloaded.
      const upload = new URL((await site.uploadUrl('site.fpl')).body.url)
      expect((await fetch(upload)).status).toBeGreaterThanOrEqual(400)
    })
  })
})

const filesOf = (data: string) => treeOf(join(data, 'files')).filter((path) => !path.includes('/unfinished/'))

describe.skipIf(!MAY_MOUNT)('a service whose file disk is full', () => {
  let disk: ResizableDisk
  let data: OwnFolder
  const FILE_BYTES = 100_000

  beforeEach(async () => {
    disk = await resizableDisk()
    data = ownFolder()
    symlinkSync(disk.path, join(data.path, 'files'))
    service = await startCrashingService({ workers: 1, data: data.path })
    source = await makeSource(service.folder, REQUESTS, FILE_BYTES)
  })
  afterEach(async () => {
    await service?.[Symbol.asyncDispose]()
    await disk?.[Symbol.asyncDispose]()
    await data?.[Symbol.asyncDispose]()
  })

  test.runIf(isCampaign)(
    'ends an import with a clear error and no partial request; a new import resumes it once there is space',
    async () => {
      const site = await newSite()
      const filename = await source.uploadAs(site, 'site.fpl')
      // Space for the five files of the first batch and one of the second.
      await disk.leave(FILE_BYTES * 6.5)
      expect(await site.run('/import/preview', filename)).toMatchObject({ status: 'SUCCESS' })
      const job = await site.run('/import', filename)
      expect(job).toMatchObject({ status: 'ERROR', resolved: true, retryCount: 3 })
      expect(messageOf(job)).toMatch(/^The import stopped at request \d+ of 150 .*: the disk is full: free some space/)
      const there = await ticketsOn(service.db, site.siteId)
      expect(messageOf(job)).toContain(`So far ${there.length} requests`)
      expectNothingUnfinished(data.path)

      const refused = await fetch((await site.uploadUrl('more.fpl')).body.url, { method: 'PUT', body: 'x'.repeat(1e6) })
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([507, 'DISK_FULL'])
      expect(await isUploaded(site, 'more.fpl')).toBe(false)

      await disk.grow()
      expect((await site.run('/import', filename)).output).toMatchObject({
        created: { tickets: REQUESTS - there.length },
        skipped: there.length,
      })
      await expectWhole(service, site, source)
      expectNothingUnfinished(data.path)
    },
  )
})
