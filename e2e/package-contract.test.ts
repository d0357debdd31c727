import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { countRequests } from '@plantroom/client/count-requests'
import type { ImportOutput, PreviewOutput } from '@plantroom/contract/jobs'
import { readArchive } from '@plantroom/fpl/testing/read-archive'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageIn, ticket } from './support/package.ts'
import { type PackageService, type PackageSite, startPackageService } from './support/package-service.ts'

let service: PackageService

beforeAll(async () => {
  service = await startPackageService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

let sites = 0
const newSite = () => {
  sites += 1
  return service.addSite(`Site ${sites}`)
}

const PHOTO = { 'attachments/1/photo.jpg': 'the bytes of a photo', 'attachments/1/note.txt': 'a note' }
const LEAK = ticket('OLD-1', {
  description: 'Under the sink',
  state: 'resolved',
  createdAt: '2026-01-05T08:30:00+02:00',
  reporter: { name: 'Mari Maasikas', email: 'Mari@example.ee' },
  assignee: 'nobody@example.ee',
  watchers: ['nobody@example.ee', 'jaan@example.ee'],
  unit: 'B-12',
  tags: ['plumbing', 'kitchen'],
  number: 4711,
  attachments: [{ path: 'attachments/1/photo.jpg', contentType: 'image/jpeg' }],
  comments: [
    { content: 'On my way', author: { email: 'jaan@example.ee' } },
    { content: '', attachments: [{ path: 'attachments/1/note.txt', name: 'sub/note.txt' }] },
  ],
})

/** Creates a package in the folder of the test and uploads it under its name. */
async function uploaded(
  site: PackageSite,
  name: string,
  tickets: object[],
  files: Readonly<Record<string, string>> = {},
) {
  const path = await packageIn(service.folder, name, tickets, files)
  await site.upload(path)
  return name
}

/** Sends the beginning of a file and disconnects. */
async function cutOff(url: string) {
  const request = httpRequest(url, { method: 'PUT', headers: { 'content-length': 1_000_000 } })
  request.on('error', () => {})
  request.write(Buffer.alloc(500_000))
  await once(request, 'socket')
  await new Promise<void>((resolve) => request.write(Buffer.alloc(1000), () => resolve()))
  request.destroy()
}

const numbersOn = async (site: PackageSite) =>
  (await site.client.listRequests(site.ids)).tickets.map(({ number }) => number)

describe('the programmatic flow', () => {
  test('uploads without a key, previews and imports; a second import skips everything', async () => {
    const site = await newSite()
    await site.client.addUnit({ ...site.ids, body: { name: 'A-1' } })
    await site.client.addPerson({ ...site.ids, body: { email: 'jaan@example.ee', name: 'Jaan' } })
    const second = ticket('OLD-2', { unit: 'A-1', tags: ['plumbing'] })
    const name = await uploaded(site, 'Põhja maja (1) - v2.fpl', [LEAK, second], PHOTO)

    const preview = await site.run('/import/preview', name)
    expect(preview).toEqual({
      id: expect.any(String),
      name: 'PREVIEW_TICKET_IMPORT',
      status: 'SUCCESS',
      resolved: true,
      retryCount: 1,
      maxAttempts: 1,
      scheduled: expect.stringMatching(/^\d{4}-.*Z$/),
      output: {
        tickets: { total: 2, new: 2, existing: 0 },
        comments: 2,
        attachments: 2,
        tagsToCreate: ['plumbing', 'kitchen'],
        unmatchedUnits: ['B-12'],
        unmatchedEmails: [{ email: 'nobody@example.ee', roles: ['assignee', 'watcher'] }],
      },
      progress: expect.anything(),
    })
    expect(await numbersOn(site)).toEqual([])

    const imported = await site.run('/import', name)
    expect(imported).toMatchObject({ name: 'TICKET_IMPORT', status: 'SUCCESS', resolved: true, maxAttempts: 3 })
    expect(imported.output).toEqual({
      created: { tickets: 2, comments: 2, attachments: 2, tags: 2 },
      skipped: 0,
      unmatchedEmails: [{ email: 'nobody@example.ee', roles: ['assignee', 'watcher'] }],
      unmatchedUnits: ['B-12'],
    })

    // A successful import deletes the package.
    expect((await site.call('POST', '/import', { filename: name })).status).toBe(404)
    await uploaded(site, name, [LEAK, second], PHOTO)
    expect((await site.run('/import/preview', name)).output).toMatchObject({
      tickets: { total: 2, new: 0, existing: 2 },
      tagsToCreate: [],
    })
    expect((await site.run('/import', name)).output).toMatchObject({
      created: { tickets: 0, comments: 0, attachments: 0, tags: 0 },
      skipped: 2,
    })
    expect(await numbersOn(site)).toEqual([2, 1])
  })

  test('imports complete requests: fields, conversation, people, tags and files, numbered by the site', async () => {
    const site = await newSite()
    await site.client.addPerson({ ...site.ids, body: { email: 'jaan@example.ee', name: 'Jaan' } })
    const job = await site.run('/import', await uploaded(site, 'whole.fpl', [LEAK], PHOTO))
    const found = await site.client.getRequest({ ...site.ids, number: 1 })
    expect(found).toMatchObject({
      number: 1,
      externalId: 'OLD-1',
      title: 'Tap leaks',
      description: 'Under the sink',
      state: 'resolved',
      createdAt: '2026-01-05T06:30:00.000Z',
      stateChangedAt: '2026-01-05T06:30:00.000Z',
      resolvedAt: '2026-01-05T06:30:00.000Z',
      reporter: { name: 'Mari Maasikas', email: 'Mari@example.ee' },
      assignee: null,
      watchers: [{ email: 'jaan@example.ee', name: 'Jaan' }],
      unit: null,
      tags: ['plumbing', 'kitchen'],
      attachments: [{ name: 'photo.jpg', contentType: 'image/jpeg', size: 20 }],
      comments: [
        { content: 'On my way', author: { email: 'jaan@example.ee', name: 'Jaan' } },
        { content: '', attachments: [{ name: 'sub/note.txt', size: 6 }] },
      ],
    })
    const attachment = found.attachments[0]?.id ?? ''
    const { url } = await site.client.getAttachmentUrl({ ...site.ids, number: 1, attachmentId: attachment })
    const bytes = await fetch(url)
    expect(await bytes.text()).toBe('the bytes of a photo')
    expect((await site.call('GET', `/jobs/${job.id}/numbers`)).body).toEqual({
      numbers: [{ externalId: 'OLD-1', number: 1 }],
      nextCursor: null,
    })
  })

  test('imports only the new requests of a corrected package, and changes no other', async () => {
    const site = await newSite()
    await site.run('/import', await uploaded(site, 'site.fpl', [ticket('A'), ticket('B')]))
    const corrected = [ticket('A', { title: 'Another title' }), ticket('C', { title: 'New' })]
    const { output } = await site.run('/import', await uploaded(site, 'site.fpl', corrected))
    expect(output).toMatchObject({ created: { tickets: 1 }, skipped: 1 })
    const { tickets } = await site.client.listRequests(site.ids)
    expect(tickets.map(({ externalId, title }) => [externalId, title])).toEqual([
      ['C', 'New'],
      ['B', 'Tap leaks'],
      ['A', 'Tap leaks'],
    ])
  })

  test('treats the same externalId on two sites as two requests', async () => {
    const [one, other] = [await newSite(), await newSite()]
    for (const site of [one, other]) {
      const { output } = await site.run('/import', await uploaded(site, 'site.fpl', [ticket('A')]))
      expect((output as ImportOutput).created.tickets).toBe(1)
    }
  })

  test('creates each request once when two workers import the same ones concurrently', async () => {
    const site = await newSite()
    const tickets = Array.from({ length: 1500 }, (_, index) => ticket(`A-${index}`, { tags: ['same'] }))
    const names = ['one.fpl', 'two.fpl']
    for (const name of names) await uploaded(site, name, tickets)
    await using _second = await service.addWorker()
    const jobs = await Promise.all(names.map((name) => site.run('/import', name)))
    const outputs = jobs.map(({ output }) => output as ImportOutput)
    expect(outputs.map(({ created, skipped }) => created.tickets + skipped)).toEqual([1500, 1500])
    expect(outputs.reduce((sum, { created }) => sum + created.tickets, 0)).toBe(1500)
    expect(await countRequests(site.client, site.ids)).toBe(1500)
  })

  test('sends no mail for an import; a later comment by staff is mailed to the reporter', async () => {
    const site = await newSite()
    await site.run('/import', await uploaded(site, 'mail.fpl', [LEAK], PHOTO))
    const outbox = async () => {
      const base = `${service.cloud.ready.baseUrl}/api/orgs/${service.orgId}/properties/${site.siteId}/outbox`
      const response = await fetch(base, { headers: { 'x-api-key': service.apiKey } })
      return ((await response.json()) as { mails: object[] }).mails
    }
    expect(await outbox()).toEqual([])
    expect(
      await site.client.addComment({ ...site.ids, number: 1, body: { content: 'A new washer is in' } }),
    ).toMatchObject({
      mailedTo: 'Mari@example.ee',
    })
    expect(await outbox()).toMatchObject([{ recipient: 'Mari@example.ee', ticketNumber: 1 }])
  })
})

describe('a package that is not valid', () => {
  const mistakes = Array.from({ length: 25 }, (_, index) => ticket(`A-${index}`, { state: 'broken' }))

  test('fails its preview and its import with the same message, without a retry, and is kept', async () => {
    const site = await newSite()
    const name = await uploaded(site, 'invalid.fpl', mistakes)
    for (const path of ['/import/preview', '/import'] as const) {
      const job = await site.run(path, name)
      expect(job).toMatchObject({ status: 'ERROR', resolved: true, retryCount: 1 })
      const { message } = job.output as { message: string }
      expect(message).toMatch(
        /^Invalid manifest: tickets\[0\]\.state: broken must be one of: new, open, in_progress, on_hold, resolved, closed, canceled; /,
      )
      expect(message.split('; ')).toHaveLength(20)
    }
    expect(await numbersOn(site)).toEqual([])
  })

  test('has a report of all problems, as paged JSON and as CSV', async () => {
    const site = await newSite()
    const { id } = await site.run('/import/preview', await uploaded(site, 'invalid.fpl', mistakes))
    const first = await site.call('GET', `/jobs/${id}/problems?limit=20`)
    expect(first.body.problems).toHaveLength(20)
    const last = await site.call('GET', `/jobs/${id}/problems?limit=20&cursor=${first.body.nextCursor}`)
    expect(last.body).toMatchObject({ nextCursor: null, problems: { length: 5 } })
    expect(last.body.problems[4]).toMatchObject({ path: 'tickets[24].state', value: 'broken' })
    const csv = await site.call('GET', `/jobs/${id}/problems?format=csv`)
    expect(csv.body.split('\r\n')).toHaveLength(1 + 25 + 1)
    expect(csv.body).toMatch(/^path,value,rule,row,externalId\r\ntickets\[0\]\.state,broken,/)
  })

  test.each([
    ['no archive', Buffer.from('no archive'), /^The package is not a valid \.fpl archive: /],
    ['nothing', Buffer.alloc(0), /^The package is not a valid \.fpl archive: /],
  ])('because it is %s says so', async (_what, bytes, message) => {
    const site = await newSite()
    const path = join(service.folder, 'no archive.fpl')
    writeFileSync(path, bytes)
    await site.upload(path)
    const job = await site.run('/import/preview', 'no archive.fpl')
    expect(job).toMatchObject({ status: 'ERROR', resolved: true, output: { message: expect.stringMatching(message) } })
  })

  test('because of a duplicate externalId fails as a whole and writes nothing', async () => {
    const site = await newSite()
    const twice = await uploaded(site, 'twice.fpl', [ticket('A'), ticket('B'), ticket('A')])
    const { output } = await site.run('/import', twice)
    expect(output).toEqual({ message: 'Invalid manifest: tickets[2] (externalId A): duplicate externalId' })
    expect(await numbersOn(site)).toEqual([])
  })
})

describe('the calls', () => {
  test.each([
    '',
    'site',
    'site.zip',
    '.fpl',
    'a/b.fpl',
    '../site.fpl',
    'a\\b.fpl',
    'a:b.fpl',
    'site.fpl ',
    `${'a'.repeat(252)}.fpl`,
    'a\u0000.fpl',
  ])('give no address for a file named %j', async (filename) => {
    const site = await newSite()
    expect(await site.uploadUrl(filename)).toMatchObject({ status: 400, body: { code: 'INVALID', field: 'filename' } })
  })

  test('answer 404 for a package that was never uploaded', async () => {
    const site = await newSite()
    for (const path of ['/import/preview', '/import'])
      expect((await site.call('POST', path, { filename: 'none.fpl' })).status).toBe(404)
  })

  test('find a package only on the site that it was uploaded for', async () => {
    const [site, other] = [await newSite(), await newSite()]
    const filename = await uploaded(site, 'mine.fpl', [ticket('A')])
    expect((await other.call('POST', '/import/preview', { filename })).status).toBe(404)
  })

  test('show a job only on its site', async () => {
    const [site, other] = [await newSite(), await newSite()]
    const { id } = await site.run('/import/preview', await uploaded(site, 'mine.fpl', [ticket('A')]))
    expect((await site.call('GET', `/jobs/${id}`)).status).toBe(200)
    for (const path of [`/jobs/${id}`, `/jobs/${id}/problems`, `/jobs/${id}/numbers`, '/jobs/job_none'])
      expect((await other.call('GET', path)).status).toBe(404)
  })

  test('discard an interrupted upload and keep the previous package', async () => {
    const site = await newSite()
    const { body } = await site.uploadUrl('cut.fpl')
    await cutOff(body.url)
    expect((await site.call('POST', '/import/preview', { filename: 'cut.fpl' })).status).toBe(404)

    await uploaded(site, 'cut.fpl', [ticket('A')])
    await cutOff((await site.uploadUrl('cut.fpl')).body.url)
    expect(await site.run('/import/preview', 'cut.fpl')).toMatchObject({ output: { tickets: { total: 1 } } })
  })

  test('refuse a URL whose signature or name was changed', async () => {
    const site = await newSite()
    const { body } = await site.uploadUrl('mine.fpl')
    const other = (await site.uploadUrl('other.fpl')).body
    const forged = new URL(body.url)
    forged.pathname = new URL(other.url).pathname
    expect((await fetch(forged, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await site.call('POST', '/import/preview', { filename: 'other.fpl' })).status).toBe(404)
  })
})

describe('a key', () => {
  const CALLS = [
    ['GET', '/import/upload-url?filename=a.fpl', undefined],
    ['POST', '/import/preview', { filename: 'a.fpl' }],
    ['POST', '/import', { filename: 'a.fpl' }],
    ['POST', '/export', undefined],
    ['GET', '/jobs/job_none', undefined],
  ] as const

  const statuses = async (site: PackageSite, headers?: Record<string, string>) => {
    const found: number[] = []
    for (const [method, path, body] of CALLS) found.push((await site.call(method, path, body, headers)).status)
    return found
  }

  test('that is missing or unknown is 401 on every call', async () => {
    const site = await newSite()
    expect(await statuses(site, {})).toEqual([401, 401, 401, 401, 401])
    expect(await statuses(site, { 'x-api-key': 'plr_x' })).toEqual([401, 401, 401, 401, 401])
  })

  test('with read permission may export and view jobs', async () => {
    const { siteId } = await newSite()
    const reader = service.siteFor(siteId, await service.newKey(['ticket:read']))
    expect(await statuses(reader)).toEqual([403, 403, 403, 200, 404])
  })

  test('for devices, or of other sites, is 403 on every call', async () => {
    const [{ siteId }, other] = [await newSite(), await newSite()]
    const forbidden = [403, 403, 403, 403, 403]
    const forDevices = service.siteFor(siteId, await service.newKey(['edge-device:read_write']))
    expect(await statuses(forDevices)).toEqual(forbidden)
    const limited = await service.newKey(['ticket:read_write'], [other.siteId])
    expect(await statuses(service.siteFor(siteId, limited))).toEqual(forbidden)
    expect(await statuses(service.siteFor('site_none', limited))).toEqual(forbidden)
  })

  test('on a site with Maintenance Requests turned off gets a 403 that says so, and may still read jobs', async () => {
    const site = await newSite()
    await service.admin.updateSite({ orgId: service.orgId, siteId: site.siteId, body: { maintenanceRequests: false } })
    expect(await statuses(site)).toEqual([403, 403, 403, 403, 404])
    expect((await site.uploadUrl('a.fpl')).body.message).toContain('Maintenance Requests are turned off')
  })
})

describe('an export', () => {
  /** Returns the manifest of an exported package without the fields that depend on the time and the site. */
  async function exported(site: PackageSite) {
    const { output } = await site.run('/export')
    const { url, filename, bytes } = output as { url: string; filename: string; bytes: number }
    const content = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(content.length).toBe(bytes)
    const files = await readArchive(content)
    const { exportedAt, tickets, ...rest } = JSON.parse(String(files.get('manifest.json')))
    const path = join(service.folder, filename)
    writeFileSync(path, content)
    return {
      path,
      filename,
      manifest: { ...rest, tickets: tickets.map(({ number, ...fields }: { number: number }) => fields) },
    }
  }

  test('imported into an empty site exports with the same manifest', async () => {
    const [site, elsewhere] = [await newSite(), await newSite()]
    await site.client.addUnit({ ...site.ids, body: { name: 'B-12' } })
    await elsewhere.client.addUnit({ ...elsewhere.ids, body: { name: 'B-12' } })
    await site.run('/import', await uploaded(site, 'site.fpl', [LEAK, ticket('OLD-2')], PHOTO))
    await site.client.addComment({ ...site.ids, number: 2, body: { content: 'Later' } })

    const first = await exported(site)
    expect(first.manifest.tickets).toHaveLength(2)
    await elsewhere.upload(first.path)
    const preview = (await elsewhere.run('/import/preview', first.filename)).output as PreviewOutput
    expect(preview.tickets).toEqual({ total: 2, new: 2, existing: 0 })
    await elsewhere.run('/import', first.filename)
    expect((await exported(elsewhere)).manifest).toEqual(first.manifest)
  })

  test('of an empty site is a valid, empty package', async () => {
    const site = await newSite()
    expect((await exported(site)).manifest.tickets).toEqual([])
  })
})
