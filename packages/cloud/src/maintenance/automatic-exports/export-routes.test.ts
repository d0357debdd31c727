import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { ActivityEntry } from '@plantroom/contract/activity'
import { MAX_TARGET_TESTS_PER_HOUR } from '@plantroom/contract/automatic-exports'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { openOutbound } from '../../platform/outbound/index.ts'
import { createSeal, loadSealKey } from '../../platform/seal/index.ts'
import { startWork } from '../../platform/work/index.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { databaseOf } from '../requests/testing/site.ts'
import { createAskedTestStore, TESTS } from './asked-test-store.ts'
import { askForTest, targetTests } from './asked-tests.ts'
import { startWebdav } from './testing/webdav-server.ts'

const HOUR_MS = 3_600_000

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let [own, foreign]: Tenant[] = []
let exportFolder = ''

beforeAll(async () => {
  exportFolder = await mkdtemp(join(tmpdir(), 'plantroom-exports-'))
  cloud = await startTestCloud({ exportFolder, webhookNetworks: ['127.0.0.1'] })
  own = await addTenant(cloud, 'Own')
  foreign = await addTenant(cloud, 'Foreign')
})
afterAll(async () => {
  await cloud?.stop()
  await rm(exportFolder, { recursive: true, force: true })
})

const at = (rest = '', tenant = own) =>
  `/api/orgs/${tenant?.orgId}/properties/${tenant?.siteId}/ticket-packages/automatic-exports${rest}`
const WEBDAV = { url: 'https://dav.example.com/backups', user: 'me', password: 'geheim-0123' }
const EXPORT = {
  enabled: true,
  schedule: { every: 'day', at: '02:30' },
  targets: [{ webdav: WEBDAV }],
  retention: { keep: 14, unit: 'packages' },
}
const S3 = { endpoint: 'https://s3.example.com', region: 'eu', bucket: 'backups', accessKeyId: 'key' }
const webdavAt = (url: string) => ({ targets: [{ webdav: { ...WEBDAV, url } }] })
const put = (changes: object = {}) => asOperator(cloud, 'PUT', at(), { ...EXPORT, ...changes })
const testOf = async (target: object) => (await asOperator(cloud, 'POST', at('/test'), { target })).body

interface Shown {
  id: string
  label: string
}
const targetsOf = (body: Record<string, unknown>) =>
  (body as { automaticExport: { targets: Shown[] } }).automaticExport.targets

describe('an automatic export', () => {
  test('is set, shown without its secret, and removed', async () => {
    expect((await asOperator(cloud, 'GET', at())).body).toEqual({
      automaticExport: null,
      offered: ['s3', 'webdav', 'folder'],
    })
    const none = await asOperator(cloud, 'POST', at('/run'))
    expect([none.status, none.body.message]).toEqual([404, 'this site has no automatic export: set one first'])
    const set = await put()
    expect([set.status, set.body.automaticExport]).toMatchObject([
      200,
      {
        ...{ enabled: true, schedule: EXPORT.schedule, nextRunAt: expect.any(String), failingSince: null },
        targets: [{ label: 'WebDAV dav.example.com/backups/', webdav: { url: 'https://dav.example.com/backups/' } }],
      },
    ])
    const texts = [set.body, (await asOperator(cloud, 'GET', at())).body]
    const db = databaseOf(cloud)
    const stored = await db.selectFrom('automatic_export_target').selectAll().execute()
    const logged = await db.selectFrom('activity').select('entry').execute()
    expect(JSON.stringify([texts, stored.map(({ secret }) => secret?.toString('latin1')), logged])).not.toContain(
      WEBDAV.password,
    )
    const first = await asOperator(cloud, 'POST', at('/run'))
    // It waits for another attempt: a person does not have to.
    const runs = db.selectFrom('automatic_export_run').select('start_at')
    const late = new Date(Date.now() + HOUR_MS)
    await db.updateTable('automatic_export_run').set({ start_at: late }).execute()
    const second = await asOperator(cloud, 'POST', at('/run'))
    expect([first.status, second.body]).toEqual([202, first.body])
    expect(first.body.runId).toMatch(/^run_/)
    expect((await runs.executeTakeFirstOrThrow()).start_at.getTime()).toBeLessThan(late.getTime())
    expect((await asOperator(cloud, 'GET', at('/runs'))).body.runs).toMatchObject([
      { id: first.body.runId, byHand: true, state: 'waiting' },
    ])
    await put({ enabled: false })
    const off = await asOperator(cloud, 'POST', at('/run'))
    expect([off.status, off.body.message]).toEqual([409, 'the automatic export is switched off: switch it on first'])
    expect((await asOperator(cloud, 'DELETE', at())).status).toBe(204)
    expect((await asOperator(cloud, 'DELETE', at())).status).toBe(404)
    expect((await asOperator(cloud, 'GET', at('/runs'))).body.runs).toMatchObject([
      { state: 'failed', error: 'the automatic export was removed' },
    ])
    const actions = (await db.selectFrom('activity').select('entry').orderBy('seq').execute())
      .map(({ entry }) => JSON.parse(entry) as ActivityEntry)
      .filter(({ action }) => action.startsWith('automatic'))
    const about = { siteId: own?.siteId, subject: { kind: 'site', id: own?.siteId, name: expect.any(String) } }
    const details = { enabled: true, every: 'day', targets: ['WebDAV dav.example.com/backups/'] }
    expect(actions).toMatchObject([
      { ...about, action: 'automatic-export-changed', details },
      { ...about, action: 'automatic-export-started' },
      { ...about, action: 'automatic-export-changed', details: { ...details, enabled: false } },
      { ...about, action: 'automatic-export-removed' },
    ])
  })

  test.each<readonly [object, string, string]>([
    [{ schedule: { every: 'day' } }, 'schedule.at', 'schedule.at is missing'],
    [{ schedule: { every: 'day', at: '24:00' } }, 'schedule.at', 'schedule.at'],
    [{ schedule: { every: 'hours', hours: 0 } }, 'schedule.hours', 'schedule.hours'],
    [{ retention: { keep: 0, unit: 'days' } }, 'retention.keep', 'retention.keep'],
    [{ targets: [] }, 'targets', 'targets'],
    [{ targets: [{}] }, 'targets[0]', 'targets[0] must have one of s3, webdav and folder'],
    [{ targets: [{ webdav: WEBDAV, folder: { path: '' } }] }, 'targets[0]', 'must have one of'],
    [{ targets: [{ webdav: WEBDAV }, { webdav: { ...WEBDAV, url: `${WEBDAV.url}/` } }] }, 'targets', 'twice'],
    [webdavAt('https://169.254.169.254/'), 'targets[0].webdav.url', 'does not lead to a public address'],
    [webdavAt('https://10.0.0.1/'), 'targets[0].webdav.url', 'does not lead to a public address'],
    [webdavAt('http://dav.example.com/'), 'targets[0].webdav.url', 'use https://'],
    [webdavAt('https://a:b@dav.example.com/'), 'targets[0].webdav.url', 'in their own fields'],
    [webdavAt('https://a@dav.example.com/'), 'targets[0].webdav.url', 'in their own fields'],
    [webdavAt('https://dav.example.com/?a'), 'targets[0].webdav.url', 'has a part after ? or #: remove it'],
    [webdavAt('https://dav.example.com/#a'), 'targets[0].webdav.url', 'has a part after ? or #: remove it'],
    [{ targets: [{ s3: { ...S3, endpoint: 'https://10.0.0.1/' } }] }, 'targets[0].s3.endpoint', 'public address'],
    [{ targets: [{ s3: S3 }] }, 'targets[0].s3.secretAccessKey', 'targets[0].s3.secretAccessKey is missing'],
    [
      { targets: [{ webdav: { url: WEBDAV.url, user: 'me' } }] },
      'targets[0].webdav.password',
      'targets[0].webdav.password is missing',
    ],
    ...['../other', '/etc', 'a\\..\\b', 'a/./b'].map(
      (path) =>
        [{ targets: [{ folder: { path } }] }, 'targets[0].folder.path', 'targets[0].folder.path may have'] as const,
    ),
  ])('is refused with %j', async (changes, field, message) => {
    const { status, body } = await put(changes)
    expect([status, body.code, body.field, body.message]).toEqual([
      400,
      'INVALID',
      field,
      expect.stringContaining(message),
    ])
  })

  test('keeps its next time while its schedule stays the same and it is on', async () => {
    const nextAfter = async (changes: object) => {
      const { body } = await put(changes)
      return (body as { automaticExport: { nextRunAt: string } }).automaticExport.nextRunAt
    }
    const six = { schedule: { every: 'hours', hours: 6 } }
    const first = await nextAfter(six)
    expect(await nextAfter({ ...six, retention: { keep: 3, unit: 'days' } })).toBe(first)
    const [week, month] = [
      { every: 'week', weekday: 'mon', at: '02:30' },
      { every: 'month', day: 1, at: '03:30' },
    ]
    const tuesday = { ...week, weekday: 'tue' }
    const others = [week, tuesday, { ...tuesday, at: '02:31' }, month, { ...month, day: 2 }]
    const times: string[] = []
    for (const schedule of others) times.push(await nextAfter({ schedule }))
    expect(new Set(times).size).toBe(others.length)
    const seven = await nextAfter({ schedule: { every: 'hours', hours: 7 } })
    expect(Date.parse(seven)).toBeGreaterThanOrEqual(Date.parse(first) + HOUR_MS)
    await put({ ...six, enabled: false })
    expect(Date.parse(await nextAfter(six))).toBeGreaterThan(Date.parse(first))
  })

  test('keeps a secret only for the server and the user that it was entered for', async () => {
    const [{ id } = { id: '' }] = targetsOf((await put()).body)
    const { password: _, ...open } = WEBDAV
    const again = await put({ targets: [{ webdav: open }] })
    expect(targetsOf(again.body)[0]?.id).toBe(id)
    const moved = await put({ targets: [{ id, webdav: { ...open, url: 'https://dav.example.com/other' } }] })
    const [target] = targetsOf(moved.body)
    expect([moved.status, target?.id === id, target?.label]).toEqual([200, false, 'WebDAV dav.example.com/other/'])
    for (const stolen of [{ url: 'https://evil.example/backups' }, { user: 'someone' }]) {
      const answer = await put({ targets: [{ id: target?.id, webdav: { ...open, ...stolen } }] })
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('enter it again')])
      const tested = await testOf({ id: target?.id, webdav: { ...open, ...stolen } })
      expect(tested.code).toBe('INVALID')
    }
  })

  test('of another organization stays out of reach', async () => {
    const [{ id } = { id: '' }] = targetsOf((await put()).body)
    const { apiKey } = await createKey(cloud, String(foreign?.orgId), ['ticket:read_write'])
    const headers = { 'x-api-key': apiKey }
    for (const [method, rest] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/run'],
      ['POST', '/test'],
      ['GET', '/runs'],
    ] as const) {
      const body = rest === '/test' ? { target: EXPORT.targets[0] } : method === 'PUT' ? EXPORT : undefined
      expect([method, rest, (await call(cloud, method, at(rest), { headers, body })).status]).toEqual([
        method,
        rest,
        403,
      ])
    }
    // The id of a target of another site brings no secret with it.
    const { password: _, ...open } = WEBDAV
    const target = { id, webdav: open }
    const stolen = await call(cloud, 'PUT', at('', foreign), { headers, body: { ...EXPORT, targets: [target] } })
    expect([stolen.status, stolen.body.message]).toEqual([400, expect.stringContaining('password is missing')])
  })

  test('is refused while Maintenance Requests are off', async () => {
    const site = `/api/orgs/${foreign?.orgId}/sites/${foreign?.siteId}`
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: false })
    expect((await asOperator(cloud, 'GET', at('', foreign))).status).toBe(403)
    await asOperator(cloud, 'PATCH', site, { maintenanceRequests: true })
  })
})

describe('a test of a target', () => {
  let worker: { stop(): Promise<void> } | undefined
  let db: Db | undefined
  beforeAll(async () => {
    const clock = systemClock
    const { tenants: transport } = openOutbound({ privateNetworks: ['127.0.0.1'], clock })
    const seal = createSeal(await loadSealKey(cloud.config.folder, undefined), 'exports')
    const log = createLog('test', 'silent')
    db = openDatabase({ connectionString: String(cloud.config.databaseUrl) }, log)
    const store = createAskedTestStore(db)
    worker = startWork({ db, clock, log }, targetTests({ store, seal, transport, exportFolder, clock }))
  })
  afterAll(async () => {
    await worker?.stop()
    await db?.destroy()
  })

  test('writes, reads and deletes a file on WebDAV, and says what failed', async () => {
    const dav = await startWebdav()
    const target = { webdav: { url: dav.url, user: 'me', password: 'geheim' } }
    expect(await testOf(target)).toEqual({ ok: true, failedStep: null, message: null })
    expect(dav.files.size).toBe(0)
    expect(await testOf({ webdav: { ...target.webdav, password: 'wrong' } })).toMatchObject({
      ...{ ok: false, failedStep: 'write', message: expect.stringContaining('the user or the password is wrong') },
    })
    dav.fault = (_request, response) =>
      Boolean(response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end())
    expect(await testOf(target)).toMatchObject({ message: expect.stringContaining('redirects are not followed') })
    expect(dav.asked.at(-1)).toBe('PROPFIND ')
    dav.fault = ({ method }, response) => method === 'PUT' && Boolean(response.writeHead(507).end())
    expect(await testOf(target)).toMatchObject({ message: expect.stringContaining('has no space left') })
    dav.fault = ({ method }, response) => method === 'DELETE' && Boolean(response.writeHead(403).end())
    expect(await testOf(target)).toMatchObject({ failedStep: 'delete' })
    const closed = { ...target.webdav, url: 'http://127.0.0.1:1/' }
    expect(await testOf({ webdav: closed })).toMatchObject({
      failedStep: 'connect',
      message: expect.stringContaining('refuses connections'),
    })
  })

  test('stays in the folder of the site, also when a link leads out of it', async () => {
    expect(await testOf({ folder: { path: 'weekly/õhtu' } })).toMatchObject({ ok: true })
    const folder = join(exportFolder, String(own?.orgId), String(own?.siteId))
    expect(await readdir(join(folder, 'weekly/õhtu'))).toEqual([])
    const outside = temporaryFolder()
    await symlink(outside, join(folder, 'link'))
    expect(await testOf({ folder: { path: 'link/deeper' } })).toMatchObject({
      ok: false,
      message: expect.stringContaining('link or a file'),
    })
    expect(await readdir(outside)).toEqual([])
  })

  test('leaves nothing behind, and says that no worker runs', async () => {
    const db = databaseOf(cloud)
    expect(await db.selectFrom('automatic_export_asked').selectAll().execute()).toEqual([])
    await worker?.stop()
    const clock = createManualClock()
    const asked = { organizationId: String(own?.orgId), siteId: String(own?.siteId), targetId: 'target_1' }
    const id = await askForTest(db, { ...asked, place: { folder: { path: '' } }, secret: null }, clock)
    const waiting = TESTS.wait(db, id, clock).catch((error: Error) => error)
    let found: Error | object | undefined
    void waiting.then((outcome) => {
      found = outcome
    })
    await eventually(async () => {
      await clock.advance(1_000)
      expect(found).toBeDefined()
    })
    expect(found).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('within 40 s: try again') })
    expect(await db.selectFrom('automatic_export_asked').selectAll().execute()).toEqual([])
  })

  test('is counted', async () => {
    const db = databaseOf(cloud)
    const until = new Date(Date.now() + HOUR_MS)
    await db
      .updateTable('automatic_export_test')
      .set({ asked: MAX_TARGET_TESTS_PER_HOUR, asked_until: until })
      .execute()
    const target = { folder: { path: '' } }
    const { status, body, headers } = await asOperator(cloud, 'POST', at('/test'), { target })
    expect([status, body.code, Number(headers.get('retry-after')) > 3_500]).toEqual([429, 'QUOTA_EXCEEDED', true])
    expect(body.message).toBe('a site takes 60 tests of targets an hour: try again in 60 minutes')
  })
})
