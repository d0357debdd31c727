import { systemClock } from '@plantroom/base/clock'
import type { Permission } from '@plantroom/contract/permissions'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { authorizeRoutes } from '../access/authorize.ts'
import type { ActiveKey } from '../access/keys/key-store.ts'
import { packageKey } from '../files/index.ts'
import { createServer } from '../http/server.ts'
import { acceptJob, createJobStore } from '../jobs/index.ts'
import { type Ending, endNextJob, type JobOutput } from '../jobs/testing/end-next-job.ts'
import { log, openJobBench } from '../jobs/testing/job-bench.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { jobReportRoutes } from './job-report-routes.ts'
import { jobRoutes } from './job-routes.ts'
import { createReportStore } from './report-store.ts'

const ADMIN_TOKEN = 'test-admin-token-0123456789'

/** Opens the routes on a real database, with an uploaded package `here.fpl`. */
async function openRoutes() {
  const bench = await openJobBench()
  const { db, organizationId, siteId, otherSiteId } = bench
  const app = createServer({ tls: undefined, log })
  onTestFinished(() => app.close())
  const keys: Record<string, { permissions: Permission[]; sites?: string[] }> = {
    reader: { permissions: ['ticket:read'] },
    writer: { permissions: ['ticket:read_write'] },
    elsewhere: { permissions: ['ticket:read_write'], sites: [otherSiteId] },
    other: { permissions: ['edge-device:read_write'] },
  }
  authorizeRoutes(app, {
    adminToken: ADMIN_TOKEN,
    sessions: { find: async () => undefined },
    publicOrigin: undefined,
    findDevice: () => undefined,
    findSite: (id) => ([siteId, otherSiteId].includes(id) ? { organizationId, maintenanceRequests: true } : undefined),
    keys: {
      verify(text) {
        const key = keys[text]
        if (!key) return undefined
        const siteIds = key.sites && new Set(key.sites)
        return { id: text, organizationId, permissions: new Set(key.permissions), siteIds } as unknown as ActiveKey
      },
    },
  })
  const uploads = new Map([[packageKey(organizationId, siteId, 'here.fpl'), { size: 5, version: 'v7' }]])
  const store = createJobStore(db, JOB_KINDS)
  jobRoutes(app, {
    accept: (job) => acceptJob({ db, kinds: JOB_KINDS }, job),
    store,
    files: {
      stat: async (key) => uploads.get(key as never),
      downloadUrl: async (key, { filename }) => `https://files.example/${key}?as=${filename}`,
    },
    clock: systemClock,
  })
  jobReportRoutes(app, { store, reports: createReportStore(db) })

  async function call(
    method: 'GET' | 'POST',
    path: string,
    options: { key?: string; body?: object; site?: string } = {},
  ) {
    const { key, body, site = siteId } = options
    const answer = await app.inject({
      method,
      url: `/api/orgs/${organizationId}/properties/${site}/ticket-packages${path}`,
      headers: key ? { 'x-api-key': key } : { authorization: `Bearer ${ADMIN_TOKEN}` },
      ...(body && { payload: body }),
    })
    const isJson = answer.headers['content-type']?.toString().includes('json')
    return { status: answer.statusCode, text: answer.body, headers: answer.headers, body: isJson ? answer.json() : {} }
  }

  const finish = (name: 'PREVIEW_TICKET_IMPORT' | 'TICKET_IMPORT' | 'TICKET_EXPORT', ending: Ending) =>
    endNextJob({ db, kinds: JOB_KINDS }, name, ending)
  return { ...bench, call, finish }
}

describe.each([
  ['/import/preview', 'PREVIEW_TICKET_IMPORT', 1],
  ['/import', 'TICKET_IMPORT', 3],
])('POST %s', (path, name, maxAttempts) => {
  test('starts a job for the current version of the file, recording the key', async () => {
    const { call, db } = await openRoutes()
    const { status, body } = await call('POST', path, { key: 'writer', body: { filename: 'here.fpl' } })
    expect(status).toBe(200)
    expect(body).toEqual({ jobId: expect.stringMatching(/^job_/) })
    const row = await db.selectFrom('job').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ id: body.jobId, name, filename: 'here.fpl', package_version: 'v7', key_id: 'writer' })
    expect((await call('GET', `/jobs/${body.jobId}`, { key: 'reader' })).body).toMatchObject({
      id: body.jobId,
      name,
      status: 'SCHEDULED',
      resolved: false,
      retryCount: 0,
      maxAttempts,
      output: null,
    })
  })

  test.each([['../here.fpl'], ['here.zip'], [''], ['.fpl'], ['a/b.fpl']])(
    '%j: 400 naming filename',
    async (filename) => {
      const { call } = await openRoutes()
      const answer = await call('POST', path, { body: { filename } })
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID', field: 'filename' } })
    },
  )

  test('400 without a filename, or with one that is not text', async () => {
    const { call } = await openRoutes()
    expect(await call('POST', path, { body: {} })).toMatchObject({ status: 400, body: { field: 'filename' } })
    expect(await call('POST', path, { body: { filename: 5 } })).toMatchObject({ status: 400 })
  })

  test('404 without an upload of that name, even if another site has one; starts no job', async () => {
    const { call, db, otherSiteId } = await openRoutes()
    expect((await call('POST', path, { body: { filename: 'Gone õ.fpl' } })).status).toBe(404)
    expect((await call('POST', path, { body: { filename: 'here.fpl' }, site: otherSiteId })).status).toBe(404)
    expect(await db.selectFrom('job').selectAll().execute()).toEqual([])
  })

  test('requires ticket:read_write', async () => {
    const { call } = await openRoutes()
    const body = { filename: 'here.fpl' }
    for (const key of ['reader', 'other', 'elsewhere'])
      expect((await call('POST', path, { key, body })).status).toBe(403)
    expect((await call('POST', path, { key: 'nobody', body })).status).toBe(401)
  })
})

describe('an export', () => {
  test('needs ticket:read only, and gets its download address when the job is read', async () => {
    const { call, finish, siteId, db } = await openRoutes()
    const { body } = await call('POST', '/export', { key: 'reader' })
    const output = { url: 'key', filename: 'Site.fpl', tickets: 1, comments: 0, attachments: 0, bytes: 9 }
    await finish('TICKET_EXPORT', { kind: 'done', output })
    const shown = await call('GET', `/jobs/${body.jobId}`, { key: 'reader' })
    const url = `https://files.example/exports/${siteId}/${body.jobId}?as=Site.fpl`
    expect(shown.body.output).toEqual({ ...output, url })
    const [listed] = (await call('GET', '/jobs')).body.jobs
    expect(listed.output.url).toBe(url)
    // The job of the contract has no such field.
    expect(listed.filename).toMatch(/\.fpl$/)
    expect(shown.body).not.toHaveProperty('filename')
    const row = await db.selectFrom('job').select('output').executeTakeFirstOrThrow()
    expect(JSON.stringify(row.output)).not.toContain('files.example')
  })
})

describe('the output of a job', () => {
  const unmatchedEmails = [{ email: 'a@x.ee', roles: ['assignee'] }]
  // In the order of the contract, which the columns of the database do not keep.
  test.each([
    [
      'PREVIEW_TICKET_IMPORT',
      {
        tickets: { total: 3, new: 2, existing: 1 },
        comments: 1,
        attachments: 0,
        tagsToCreate: ['t'],
        unmatchedUnits: ['u'],
        unmatchedEmails,
      },
    ],
    [
      'TICKET_IMPORT',
      {
        created: { tickets: 1, comments: 2, attachments: 3, tags: 4 },
        skipped: 5,
        unmatchedEmails,
        unmatchedUnits: [],
      },
    ],
    ['TICKET_EXPORT', { url: '', filename: 'Site.fpl', tickets: 1, comments: 0, attachments: 0, bytes: 9 }],
  ] as const)('of %s has its fields in the order of the contract', async (name, output) => {
    const { call, accept, finish } = await openRoutes()
    const id = await accept(name, 'a.fpl')
    await finish(name, { kind: 'done', output: structuredClone(output) as JobOutput })
    const { text } = await call('GET', `/jobs/${id}`, { key: 'reader' })
    expect(text).toContain(`"output":${JSON.stringify(output)}`)
    expect((await call('GET', '/jobs')).text).toContain(`"output":${JSON.stringify(output)}`)
  })
})

describe('jobs', () => {
  test('of another site are 404 on every route', async () => {
    const { call, accept, otherSiteId } = await openRoutes()
    const id = await accept('TICKET_IMPORT', 'a.fpl', otherSiteId)
    for (const path of [
      `/jobs/${id}`,
      `/jobs/${id}/problems`,
      `/jobs/${id}/numbers`,
      `/jobs/${id}/numbers?format=csv`,
    ]) {
      expect(await call('GET', path), path).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      expect((await call('GET', path, { site: otherSiteId })).status).toBe(200)
      expect((await call('GET', path, { key: 'elsewhere' })).status).toBe(403)
    }
    expect((await call('GET', '/jobs')).body).toEqual({ jobs: [], nextCursor: null })
    expect((await call('GET', '/jobs/job_none')).status).toBe(404)
  })

  test.each([[1], [2], [3], [100]])('are listed newest first, each once, on pages of %i', async (limit) => {
    const { call, accept } = await openRoutes()
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) ids.unshift(await accept('PREVIEW_TICKET_IMPORT', 'a.fpl'))
    const listed: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await call('GET', `/jobs?limit=${limit}${cursor && `&cursor=${cursor}`}`, { key: 'reader' })
      listed.push(...body.jobs.map((job: { id: string }) => job.id))
      cursor = body.nextCursor
    }
    expect(listed).toEqual(ids)
  })
})

describe('the problems of a job', () => {
  const problem = (path: string, value: string | null) => ({ path, value, rule: 'must not be "so"', message: '' })
  const problems = [problem('tickets[0]', '=1+1'), problem('tickets[1]', null), problem('a,b', '-x\r\ny')]

  async function failed() {
    const routes = await openRoutes()
    await routes.accept('TICKET_IMPORT', 'a.fpl')
    const id = await routes.finish('TICKET_IMPORT', { kind: 'failed', message: 'Invalid', final: true, problems })
    return { ...routes, id }
  }

  test('are paged as JSON, in order', async () => {
    const { call, id } = await failed()
    const first = await call('GET', `/jobs/${id}/problems?limit=2`, { key: 'reader' })
    expect(first.body).toEqual({
      problems: [
        { path: 'tickets[0]', value: '=1+1', rule: 'must not be "so"' },
        { path: 'tickets[1]', value: null, rule: 'must not be "so"' },
      ],
      nextCursor: expect.any(String),
    })
    const second = await call('GET', `/jobs/${id}/problems?limit=2&cursor=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({ problems: [{ path: 'a,b' }], nextCursor: null })
  })

  test('are complete as CSV, without formulas that a spreadsheet would run', async () => {
    const { call, id } = await failed()
    const { text, headers } = await call('GET', `/jobs/${id}/problems?format=csv&limit=1`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe(`attachment; filename="${id}-problems.csv"`)
    expect(text).toBe(
      [
        'path,value,rule',
        `tickets[0],'=1+1,"must not be ""so"""`,
        'tickets[1],,"must not be ""so"""',
        `"a,b","'-x\r\ny","must not be ""so"""`,
        '',
      ].join('\r\n'),
    )
  })

  test.each([
    ['format=xml', 'format'],
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
  ])('%s: 400', async (query, field) => {
    const { call, id } = await failed()
    expect(await call('GET', `/jobs/${id}/problems?${query}`)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('the numbers of an import', () => {
  test('list the number of each request, beyond one page', async () => {
    const { call, accept, db, siteId } = await openRoutes()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    await sql`
      INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at, job_id, job_position)
      SELECT 't' || n, ${siteId}, 5000 - n, '=EXT-' || n, 'T', 'new', now(), now(), ${id}, n FROM generate_series(0, 2499) n`.execute(
      db,
    )
    const { body } = await call('GET', `/jobs/${id}/numbers?limit=2`, { key: 'reader' })
    expect(body).toEqual({
      numbers: [
        { externalId: '=EXT-0', number: 5000 },
        { externalId: '=EXT-1', number: 4999 },
      ],
      nextCursor: '1',
    })
    const lines = (await call('GET', `/jobs/${id}/numbers?format=csv`)).text.split('\r\n')
    expect(lines).toHaveLength(2502)
    expect(lines.slice(0, 2)).toEqual(['externalId,number', "'=EXT-0,5000"])
    expect(lines[2500]).toBe("'=EXT-2499,2501")
  })
})

describe('the reports of a job', () => {
  test('contain nothing of another job, site or organization', async () => {
    const { call, accept, db, siteId, otherSiteId, foreignSiteId } = await openRoutes()
    const ids: string[] = []
    for (const [index, site] of [siteId, siteId, otherSiteId, foreignSiteId].entries()) {
      const id = await accept('TICKET_IMPORT', 'a.fpl', site)
      ids.push(id)
      await sql`INSERT INTO job_problem (job_id, position, path, rule) VALUES (${id}, 0, ${`path ${index}`}, 'rule')`.execute(
        db,
      )
      await sql`INSERT INTO job_finding (job_id, kind, key, value, position)
        VALUES (${id}, 'tag', 'key', ${`tag ${index}`}, 0)`.execute(db)
      await sql`
        INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at, job_id, job_position)
        VALUES (${`t${index}`}, ${site}, ${index + 1}, ${`EXT-${index}`}, 'T', 'new', now(), now(), ${id}, 0)`.execute(
        db,
      )
    }
    const [own] = ids
    expect((await call('GET', `/jobs/${own}/problems`)).body.problems).toEqual([
      { path: 'path 0', value: null, rule: 'rule' },
    ])
    expect((await call('GET', `/jobs/${own}/findings`)).body.findings).toEqual([
      { kind: 'tag', value: 'tag 0', roles: [] },
    ])
    expect((await call('GET', `/jobs/${own}/numbers`)).body.numbers).toEqual([{ externalId: 'EXT-0', number: 1 }])
    for (const id of ids.slice(2)) {
      for (const report of ['problems', 'findings', 'numbers']) {
        expect((await call('GET', `/jobs/${id}/${report}`)).status).toBe(404)
      }
    }
  })
})

describe('the findings of a job', () => {
  test('are complete, beyond what an output lists, in the order of the package', async () => {
    const { call, accept, db } = await openRoutes()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    await sql`
      INSERT INTO job_finding (job_id, kind, key, value, position)
      SELECT ${id}, 'tag', 't' || i, 'T' || i, i FROM generate_series(1, 1500) i`.execute(db)
    await sql`
      INSERT INTO job_finding (job_id, kind, key, value, roles, position)
      VALUES (${id}, 'email', 'a@x.ee', 'A@x.ee', ARRAY['assignee', 'watcher'], 2000)`.execute(db)
    const first = await call('GET', `/jobs/${id}/findings?limit=1500`, { key: 'reader' })
    expect(first.body.findings).toHaveLength(1500)
    expect(first.body.findings[0]).toEqual({ kind: 'tag', value: 'T1', roles: [] })
    const second = await call('GET', `/jobs/${id}/findings?cursor=${first.body.nextCursor}`)
    const found = { kind: 'email', value: 'A@x.ee', roles: ['assignee', 'watcher'] }
    expect(second.body).toEqual({ findings: [found], nextCursor: null })
    const { text } = await call('GET', `/jobs/${id}/findings?format=csv`)
    expect(text.split('\r\n').slice(-2)).toEqual(['email,A@x.ee,assignee watcher', ''])
  })
})
