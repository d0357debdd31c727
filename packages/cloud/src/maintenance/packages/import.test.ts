import { hash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { blobKey, type FileStore, packageKey } from '../../platform/files/index.ts'
import { openImportBench, requestWith } from './testing/import-bench.ts'

const sha256 = (text: string) => hash('sha256', text, 'buffer')

describe('an imported package', () => {
  test('adds its requests with all fields and parts', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await site.addPeople('Anna@Example.com', 'boss@example.com', 'eve@example.com')
    await site.addUnits('Room 1')
    await site.addTags('heating')
    const request = {
      externalId: 'A-1',
      number: 77,
      title: 'Radiator cold 🔧',
      state: 'resolved',
      description: 'Õues on külm "quoted" {a,b} \\ NULL',
      notes: '',
      resolutionSummary: 'NULL',
      priority: 0,
      language: 'et',
      tone: 'polite',
      scope: 'unit',
      safetyHazard: false,
      reporter: { email: 'ANNA@example.com', name: 'Anna', phone: '+372 5' },
      assignee: 'eve@EXAMPLE.com',
      supervisor: 'boss@example.com',
      watchers: ['eve@example.com', 'anna@example.com', 'EVE@example.com'],
      unit: ' Room 1 ',
      tags: ['heating', 'urgent ', 'urgent'],
      ccEmails: ['a{b}@example.com', "o'neil@example.com"],
      feedback: Number.MAX_SAFE_INTEGER,
      feedbackText: 'good',
      createdAt: '2024-02-29t23:59:59.123456+02:00',
      updatedAt: '2024-03-01T00:00:00Z',
      resolvedAt: '0000-01-01T00:00:00.5Z',
      stateChangedAt: '9999-12-31T23:59:59.999Z',
      attachments: [{ path: 'attachments/photos/a.jpg', contentType: 'image/jpeg' }],
      comments: [
        { content: 'first', author: { email: 'nobody@example.com' }, createdAt: '2024-03-01T00:00:00.1Z' },
        {
          content: '',
          author: { email: 'Eve@example.com' },
          attachments: [
            { path: 'attachments/b', name: 'sub/õ.txt', contentType: 'text/plain' },
            { path: 'attachments/photos/a.jpg', name: 'again.jpg' },
          ],
        },
      ],
    }
    const uploaded = await bench.upload(site, [request], { 'attachments/photos/a.jpg': 'photo', 'attachments/b': '' })
    expect(await bench.import(await bench.startJob(site, 'TICKET_IMPORT', uploaded))).toEqual({
      created: { tickets: 1, comments: 2, attachments: 3, tags: 1 },
      skipped: 0,
      unmatchedEmails: [],
      unmatchedUnits: [],
    })
    const bytea = (text: string) => `\\x${sha256(text).toString('hex')}`
    expect(await site.tickets()).toEqual([
      {
        number: 1,
        external_id: 'A-1',
        title: 'Radiator cold 🔧',
        state: 'resolved',
        description: 'Õues on külm "quoted" {a,b} \\ NULL',
        notes: '',
        resolution_summary: 'NULL',
        priority: 0,
        language: 'et',
        tone: 'polite',
        scope: 'unit',
        safety_hazard: false,
        reporter: 'Anna@Example.com',
        reporter_email: 'ANNA@example.com',
        reporter_name: 'Anna',
        reporter_phone: '+372 5',
        assignee: 'eve@example.com',
        supervisor: 'boss@example.com',
        watchers: ['eve@example.com', 'Anna@Example.com'],
        unit: 'Room 1',
        tags: ['heating', 'urgent'],
        cc_emails: ['a{b}@example.com', "o'neil@example.com"],
        feedback: Number.MAX_SAFE_INTEGER,
        feedback_text: 'good',
        created_at: '2024-02-29T21:59:59.123+00:00',
        updated_at: '2024-03-01T00:00:00+00:00',
        resolved_at: '0001-01-01T00:00:00.5+00:00 BC',
        state_changed_at: '9999-12-31T23:59:59.999+00:00',
        comments: [
          {
            position: 0,
            content: 'first',
            author: null,
            author_email: 'nobody@example.com',
            author_name: null,
            author_phone: null,
            created_at: '2024-03-01T00:00:00.1+00:00',
          },
          {
            position: 1,
            content: '',
            author: 'eve@example.com',
            author_email: 'Eve@example.com',
            author_name: null,
            author_phone: null,
            created_at: null,
          },
        ],
        attachments: [
          {
            comment_position: null,
            position: 0,
            name: 'a.jpg',
            content_type: 'image/jpeg',
            size: 5,
            sha256: bytea('photo'),
          },
          {
            comment_position: 1,
            position: 0,
            name: 'sub/õ.txt',
            content_type: 'text/plain',
            size: 0,
            sha256: bytea(''),
          },
          {
            comment_position: 1,
            position: 1,
            name: 'again.jpg',
            content_type: null,
            size: 5,
            sha256: bytea('photo'),
          },
        ],
      },
    ])
    const photo = await bench.files.read(blobKey(site.id, sha256('photo')))
    expect(Buffer.concat(await photo.toArray()).toString()).toBe('photo')
  })

  test.each([
    ['none', {}, '2026-05-01T12:00:00+00:00', null],
    ['createdAt', { createdAt: '2020-01-01T00:00:00Z' }, '2020-01-01T00:00:00+00:00', null],
    ['null', { createdAt: null, updatedAt: null, stateChangedAt: null }, '2026-05-01T12:00:00+00:00', null],
    ['updatedAt', { updatedAt: '2021-01-01T00:00:00Z' }, '2021-01-01T00:00:00+00:00', '2021-01-01T00:00:00+00:00'],
    [
      'stateChangedAt',
      { updatedAt: '2021-01-01T00:00:00Z', stateChangedAt: '2022-01-01T00:00:00Z' },
      '2022-01-01T00:00:00+00:00',
      '2021-01-01T00:00:00+00:00',
    ],
  ])('fills in missing times: %s', async (_name, times, changed, updated) => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [
      { ...times, state: 'closed' },
      { ...times, state: 'resolved', resolvedAt: '2019-01-01T00:00:00Z' },
      { ...times, state: 'open' },
    ])
    expect(await site.tickets()).toMatchObject([
      { state_changed_at: changed, resolved_at: changed, updated_at: updated },
      { state_changed_at: changed, resolved_at: '2019-01-01T00:00:00+00:00' },
      { state_changed_at: changed, resolved_at: null },
    ])
  })

  test('stores large files, and equal files once', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const [stored, deflated] = [randomBytes(6_000_000), Buffer.alloc(7_000_000, 'text ')]
    const paths = ['attachments/stored', 'attachments/deflated', 'attachments/again', 'attachments/small']
    await bench.importRequests(site, [{ attachments: paths.map((path) => ({ path })) }], {
      'attachments/stored': stored,
      'attachments/deflated': deflated,
      'attachments/again': stored,
      'attachments/small': 'small',
    })
    expect((await site.tickets())[0]?.attachments).toMatchObject(
      [stored, deflated, stored, Buffer.from('small')].map((content) => ({
        size: content.length,
        sha256: `\\x${hash('sha256', content)}`,
      })),
    )
    for (const content of [stored, deflated]) {
      const kept = await bench.files.read(blobKey(site.id, hash('sha256', content, 'buffer')))
      expect(content.equals(Buffer.concat(await kept.toArray()))).toBe(true)
    }
  })

  test('skips people and units the site does not have, and reports them', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const other = await bench.addSite()
    await other.addPeople('anna@example.com')
    await other.addUnits('Room 1')
    await other.addTags('heating')
    const output = await bench.importRequests(site, [
      {
        watchers: ['Bo@example.com', 'bo@example.com'],
        assignee: 'anna@example.com',
        unit: 'Room 1',
        tags: ['heating'],
      },
      { assignee: 'BO@example.com', supervisor: 'anna@example.com', unit: '  ', reporter: { email: 'c@example.com' } },
    ])
    expect(output).toEqual({
      created: { tickets: 2, comments: 0, attachments: 0, tags: 1 },
      skipped: 0,
      unmatchedEmails: [
        { email: 'anna@example.com', roles: ['assignee', 'supervisor'] },
        { email: 'Bo@example.com', roles: ['assignee', 'watcher'] },
      ],
      unmatchedUnits: ['Room 1'],
    })
    expect(await site.tickets()).toMatchObject([
      { assignee: null, watchers: [], unit: null, tags: ['heating'] },
      { assignee: null, supervisor: null, unit: null, reporter: null, reporter_email: 'c@example.com' },
    ])
    expect(await other.tickets()).toEqual([])
  })

  test('lists the first 1,000 findings of each kind and keeps all for the report', {
    timeout: 30_000,
  }, async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const output = await bench.importRequests(
      site,
      Array.from({ length: 1500 }, (_, index) => ({
        unit: `Unit ${index}`,
        tags: [`Tag ${index}`],
        watchers: [`p${index}@example.com`],
      })),
    )
    expect(output.created.tags).toBe(1500)
    expect(output.unmatchedUnits).toEqual(Array.from({ length: 1000 }, (_, index) => `Unit ${index}`))
    expect(output.unmatchedEmails.map(({ email }) => email)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `p${index}@example.com`),
    )
    expect(output.unlisted).toEqual({ tags: 0, units: 500, people: 500 })
    const { count } = await bench.db
      .selectFrom('job_finding')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe('4500')
  })
})

test('no request is committed when its files could not be flushed', async () => {
  const bench = await openImportBench()
  const site = await bench.addSite()
  const path = 'attachments/a.txt'
  const uploaded = await bench.upload(site, [requestWith({ attachments: [{ path }] })], { [path]: 'content' })
  const job = await bench.startJob(site, 'TICKET_IMPORT', uploaded)
  const failing: FileStore = {
    ...bench.files,
    openBlobBatch: (siteId) => ({
      ...bench.files.openBlobBatch(siteId),
      flush: async () => {
        throw new Error('the disk failed')
      },
    }),
  }
  await expect(bench.import(job, { files: failing })).rejects.toThrow(/^The import stopped at request 1 of 1/)
  expect(await site.tickets()).toEqual([])
  expect(await bench.import(await bench.nextAttempt(job))).toMatchObject({ created: { tickets: 1, attachments: 1 } })
})

describe('the uploaded package', () => {
  test('is deleted after a successful import, and only then', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const key = packageKey('org', site.id, 'package.fpl')
    await bench.previewRequests(site, [{}])
    expect(await bench.files.stat(key)).toBeDefined()
    await bench.importRequests(site, [{ title: '' }]).catch(() => {})
    expect(await bench.files.stat(key)).toBeDefined()
    await bench.importRequests(site, [{}])
    expect(await bench.files.stat(key)).toBeUndefined()
  })

  test('stays when it was replaced during the import', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const job = await bench.startJob(site, 'TICKET_IMPORT', await bench.upload(site, [requestWith({})]))
    let next: { version: string } | undefined
    const output = await bench.import(job, {
      async reached(point) {
        if (point === 'written') next = await bench.upload(site, [requestWith({ title: 'Other' })])
      },
    })
    expect(output.created.tickets).toBe(1)
    expect((await site.tickets())[0]).toMatchObject({ title: 'Title' })
    expect(await bench.files.stat(packageKey('org', site.id, 'package.fpl'))).toMatchObject({ version: next?.version })
  })

  test('fails the job with a clear error when it was replaced or deleted before the start', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const job = await bench.startJob(site, 'TICKET_IMPORT', await bench.upload(site, [requestWith({})]))
    await bench.upload(site, [requestWith({ title: 'Other' })])
    const stopped = (why: string) => ({
      final: true,
      message: expect.stringMatching(`^The import stopped at request 1: ${why}`),
    })
    await expect(bench.import(job)).rejects.toMatchObject(stopped('the file was replaced'))
    await bench.files.remove(packageKey('org', site.id, 'package.fpl'))
    await expect(bench.import(job)).rejects.toMatchObject(stopped('the file is gone'))
    expect(await site.tickets()).toEqual([])
  })
})

test('a package without requests imports nothing', async () => {
  const bench = await openImportBench()
  const site = await bench.addSite()
  expect(await bench.importRequests(site, [])).toEqual({
    created: { tickets: 0, comments: 0, attachments: 0, tags: 0 },
    skipped: 0,
    unmatchedEmails: [],
    unmatchedUnits: [],
  })
})

test('an import sends no mail', async () => {
  const bench = await openImportBench()
  const site = await bench.addSite()
  await bench.importRequests(site, [{ reporter: { email: 'a@example.com' }, comments: [{ content: 'hello' }] }])
  expect(await bench.db.selectFrom('mail').selectAll().execute()).toEqual([])
})
