import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { readFileName } from '../uploads/upload-names.ts'
import { openPackageRoutes } from './testing/package-routes.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let apiKey: string

beforeAll(async () => {
  cloud = await startTestCloud()
  ours = await addTenant(cloud, 'Ours')
  apiKey = (await createKey(cloud, ours.orgId, ['ticket:read_write'])).apiKey
})
afterAll(() => cloud.stop())

const path = (query: string) =>
  `/api/orgs/${ours.orgId}/properties/${ours.siteId}/ticket-packages/import/upload-url${query}`
const ask = (query: string, key = apiKey) => call(cloud, 'GET', path(query), { headers: { 'x-api-key': key } })

describe('the upload address', () => {
  test('accepts the raw file without a key', async () => {
    const { status, body } = await ask(`?filename=${encodeURIComponent('Hooldustööd õhtul (1).fpl')}`)
    expect([status, Object.keys(body)]).toEqual([200, ['url']])
    const url = String(body.url)
    expect(url.startsWith(cloud.ready.baseUrl)).toBe(true)
    const answer = await fetch(url, { method: 'PUT', body: Buffer.alloc(200_000) })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  test.each(['', '?filename=', '?filename=a.zip', '?filename=..%2Fa.fpl', '?filename=a.fpl&filename=b.fpl'])(
    'is refused for %j, naming the field',
    async (query) => {
      const { status, body } = await ask(query)
      expect([status, body.code, body.field]).toEqual([400, 'INVALID', 'filename'])
    },
  )

  test('is refused to a read-only key and for a site without Maintenance Requests', async () => {
    const reader = await createKey(cloud, ours.orgId, ['ticket:read'])
    expect((await ask('?filename=a.fpl', reader.apiKey)).status).toBe(403)
    const site = `/api/orgs/${ours.orgId}/sites/${ours.siteId}`
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: false })
    expect((await ask('?filename=a.fpl')).body.message).toContain('turned off')
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: true })
  })
})

describe('the manifest schema', () => {
  test('is served to anyone, byte for byte', async () => {
    const answer = await fetch(`${cloud.ready.baseUrl}/schemas/ticket-export-v1.json`)
    const file = new URL('../../../../fpl/schemas/ticket-export-v1.json', import.meta.url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch('json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.text()).toBe(await readFile(file, 'utf8'))
  })
})

describe.each([
  ['/import/preview', 'PREVIEW_TICKET_IMPORT', 1],
  ['/import', 'TICKET_IMPORT', 3],
])('POST %s', (path, name, maxAttempts) => {
  test('starts a job for the current version of the file, recording the key', async () => {
    const { call, db } = await openPackageRoutes()
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
      const { call } = await openPackageRoutes()
      const answer = await call('POST', path, { body: { filename } })
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID', field: 'filename' } })
    },
  )

  test('400 without a filename, or with one that is not text', async () => {
    const { call } = await openPackageRoutes()
    expect(await call('POST', path, { body: {} })).toMatchObject({ status: 400, body: { field: 'filename' } })
    expect(await call('POST', path, { body: { filename: 5 } })).toMatchObject({ status: 400 })
  })

  test('404 without an upload of that name, even if another site has one; starts no job', async () => {
    const { call, db, otherSiteId } = await openPackageRoutes()
    expect((await call('POST', path, { body: { filename: 'Gone õ.fpl' } })).status).toBe(404)
    expect((await call('POST', path, { body: { filename: 'here.fpl' }, site: otherSiteId })).status).toBe(404)
    expect(await db.selectFrom('job').selectAll().execute()).toEqual([])
  })

  test('requires ticket:read_write', async () => {
    const { call } = await openPackageRoutes()
    const body = { filename: 'here.fpl' }
    for (const key of ['reader', 'other', 'elsewhere'])
      expect((await call('POST', path, { key, body })).status).toBe(403)
    expect((await call('POST', path, { key: 'nobody', body })).status).toBe(401)
  })
})

describe('the options of a job', () => {
  const PATHS = ['/import/preview', '/import', '/import/fill/preview', '/import/fill']

  test('are kept with it; a fill starts as an import does', async () => {
    const { call, db } = await openPackageRoutes()
    const options = { units: { create: true, leave: ['Room 1'] } }
    for (const path of PATHS.slice(1)) {
      const { status } = await call('POST', path, { key: 'writer', body: { filename: 'here.fpl', options } })
      expect(status).toBe(200)
    }
    const rows = await db.selectFrom('job').select(['name', 'options', 'max_attempts']).orderBy('position').execute()
    expect(rows).toEqual([
      { name: 'TICKET_IMPORT', options, max_attempts: 3 },
      { name: 'PREVIEW_TICKET_FILL', options, max_attempts: 1 },
      { name: 'TICKET_FILL', options, max_attempts: 3 },
    ])
    for (const key of ['reader', 'other', 'elsewhere']) {
      expect((await call('POST', '/import/fill', { key, body: { filename: 'here.fpl' } })).status).toBe(403)
    }
    expect((await call('POST', '/import/fill', { body: { filename: 'gone.fpl' } })).status).toBe(404)
  })

  test('are refused for what other sites have, as for what nobody has, and for unknown fields', async () => {
    const { call, db, siteId, otherSiteId } = await openPackageRoutes()
    await db
      .insertInto('unit')
      .values([
        { id: 'unit_own', site_id: siteId, name: 'Own' },
        { id: 'unit_other', site_id: otherSiteId, name: 'Other' },
      ])
      .execute()
    const person = { id: 'person_other', site_id: otherSiteId, email: 'a@x.ee', email_key: 'a@x.ee' }
    await db.insertInto('person').values(person).execute()
    const start = (options: object) =>
      call('POST', '/import', { key: 'writer', body: { filename: 'here.fpl', options } })
    for (const id of ['unit_other', 'unit_none']) {
      expect(await start({ units: { map: { A: 'unit_own', B: id } } })).toMatchObject({
        status: 400,
        body: {
          field: 'options.units.map',
          message: `options.units.map: this site has no unit ${id}, to which B is mapped`,
        },
      })
    }
    expect((await start({ people: { map: { 'b@x.ee': 'person_other' } } })).status).toBe(400)
    expect((await start({ tags: { map: { A: 'unit_own' } } })).status).toBe(400)
    expect((await start({ unit: { create: true } })).status).toBe(400)
    expect((await start({ units: { create: 'yes' } })).status).toBe(400)
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`Unit ${index}`, 'unit_own']))
    expect((await start({ units: { map: many } })).body.message).toContain('at most 10000 names')
    expect(await db.selectFrom('job').selectAll().execute()).toEqual([])
    expect((await start({ units: { map: { A: 'unit_own' } } })).status).toBe(200)
  })
})

describe('a caller who asks for more than the site may have', () => {
  test('gets 429 for a job, naming the limit and when to come back, while other sites go on', async () => {
    const { call, siteId, otherSiteId } = await openPackageRoutes()
    const preview = () => call('POST', '/import/preview', { key: 'writer', body: { filename: 'here.fpl' } })
    for (let count = 0; count < 3; count += 1) expect((await preview()).status).toBe(200)
    const refused = await preview()
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining('this site has reached its limit of 3 unfinished'),
      },
    })
    expect(refused.headers['retry-after']).toBe('30')
    expect((await call('POST', '/export', { key: 'reader', site: siteId })).status).toBe(429)
    expect((await call('POST', '/export', { key: 'elsewhere', site: otherSiteId })).status).toBe(200)
  })

  test('gets the export that waits, however often a read-only key asks', async () => {
    const { call, db } = await openPackageRoutes()
    const ids = new Set<string>()
    for (let count = 0; count < 10; count += 1) ids.add((await call('POST', '/export', { key: 'reader' })).body.jobId)
    expect(ids.size).toBe(1)
    expect(await db.selectFrom('job').selectAll().execute()).toHaveLength(1)
  })

  test('gets 429 for one more package name, but may replace a package', async () => {
    const { call } = await openPackageRoutes()
    const ask = (name: string) => call('GET', `/import/upload-url?filename=${name}`, { key: 'writer' })
    expect([(await ask('a.fpl')).status, (await ask('b.fpl')).status]).toEqual([200, 200])
    expect(await ask('c.fpl')).toMatchObject({ status: 429, headers: { 'retry-after': '3600' } })
    expect((await ask('a.fpl')).status).toBe(200)
  })
})

describe('readFileName', () => {
  test.each(['a.fpl', 'A (1) _-.x.FPL', 'äöõüÄÖÕÜ 2026.fpl', `${'x'.repeat(251)}.fpl`])('accepts %s', (name) => {
    expect(readFileName(name)).toBe(name)
  })

  test('composes letters', () => {
    expect(readFileName('töö.fpl'.normalize('NFD'))).toBe('töö.fpl')
  })

  test.each([
    '',
    '.fpl',
    'a.zip',
    'a/b.fpl',
    'a\\b.fpl',
    'š.fpl',
    'a\0.fpl',
    'a\n.fpl',
    'a.fpl\n',
    `${'x'.repeat(252)}.fpl`,
  ])('rejects %j, naming the field', (name) => {
    expect(() => readFileName(name)).toThrow(
      expect.objectContaining({ kind: 'invalid', field: 'filename', message: expect.stringMatching(/^filename m/) }),
    )
  })
})
