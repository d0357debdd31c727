import { createLog } from '@plantroom/base/log'
import type { Mapping } from '@plantroom/contract/conversion'
import type { ConversionJobName } from '@plantroom/contract/jobs'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '../../organization/access/testing/people.ts'
import type { Db } from '../../platform/db/database.ts'
import type { JobHandlers } from '../../platform/jobs/index.ts'
import { JobFailure } from '../../platform/jobs/job.ts'
import { settleJob } from '../../platform/jobs/queue.ts'
import { claimNext } from '../../platform/jobs/testing/attempts.ts'
import { addTenant, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { openJobHandlers } from '../../wire/job-process.ts'
import { JOB_KINDS } from '../packages/index.ts'
import { REPORT_KEPT_MS, sweepConversions } from './sweep.ts'

type Headers = Record<string, string>

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let handlers: JobHandlers
let own: Tenant
let other: Tenant
const as: Record<'manager' | 'viewer' | 'stranger' | 'writer' | 'reader', Headers> = {} as never

beforeAll(async () => {
  cloud = await startTestCloud()
  own = await addTenant(cloud, 'Own')
  other = await addTenant(cloud, 'Other')
  for (const role of ['manager', 'viewer'] as const) {
    const onSite = { sites: [{ siteId: own.siteId, role }] }
    as[role] = (await addPerson(cloud, own.orgId, `${role}@example.ee`, onSite)).headers
  }
  as.stranger = (await addPerson(cloud, other.orgId, 'stranger@example.ee', { role: 'admin' })).headers
  as.writer = { 'x-api-key': (await createKey(cloud, own.orgId, ['ticket:read_write'])).apiKey }
  as.reader = { 'x-api-key': (await createKey(cloud, own.orgId, ['ticket:read'])).apiKey }
  const opened = await openJobHandlers(cloud.config, createLog('test', 'silent'), new AbortController().signal)
  ;({ db, handlers } = opened)
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})

const pathOf = ({ orgId, siteId }: Tenant, path = '') =>
  `/api/orgs/${orgId}/properties/${siteId}/ticket-packages${path}`
const conversions = (path = '', tenant = own) => pathOf(tenant, `/conversions${path}`)
const post = (path: string, body: object, headers = as.manager) =>
  call(cloud, 'POST', conversions(path), { headers, body })
const get = (path: string, headers = as.manager) => call(cloud, 'GET', path, { headers })

const CSV = 'Id,Title,Status,Colour\nA-1,Leak,Open,red\nA-2,Lamp,Done,\nA-3,Door,Odd,blue\n'

async function upload(text: string, filename = 'old system.csv') {
  const { body } = await get(conversions(`/upload-url?filename=${encodeURIComponent(filename)}`))
  const put = await fetch(String(body.url), { method: 'PUT', body: text })
  expect(put.status).toBe(200)
  return { source: 'csv', files: [{ uploadId: String(body.uploadId), filename }] }
}

/** Runs the next job of a kind in this process, as a worker would in another. */
async function run(name: ConversionJobName | 'PREVIEW_TICKET_IMPORT') {
  const deps = { db, kinds: JOB_KINDS, retryDelayS: 0 }
  const job = await claimNext(deps, name, 'worker')
  if (!job) throw new Error(`no ${name} is due`)
  const tools = { job, progress() {}, signal: new AbortController().signal }
  const ending = await handlers[name](tools).then(
    (output) => ({ kind: 'done', output }) as const,
    (error: unknown) => {
      if (error instanceof JobFailure) {
        return { kind: 'failed', message: error.message, final: true, problems: error.problems } as const
      }
      throw error
    },
  )
  await settleJob(deps, job, ending)
  return job.id
}

async function analyzed(text = CSV) {
  const given = await upload(text)
  const { body } = await post('/analysis', given)
  await run('TICKET_SOURCE_ANALYSIS')
  const { body: job } = await get(conversions(`/${body.jobId}`))
  return { given, analysisId: String(body.jobId), job }
}

const MAPPING: Mapping = {
  timeZone: 'Europe/Tallinn',
  dateOrder: 'dmy',
  columns: { Id: 'externalId', Title: 'title', Status: 'state', Colour: 'omit' },
  states: { open: 'open', done: 'closed', odd: 'new' },
  otherState: 'new',
  priorities: {},
}

async function converted(filename: string, text = CSV) {
  const { given, analysisId } = await analyzed(text)
  const { body } = await post('', { ...given, mapping: MAPPING, analysisId, filename })
  await run('TICKET_CONVERSION')
  return { given, analysisId, jobId: String(body.jobId) }
}

describe('an export of another system', () => {
  test('is analysed, tried, converted, and then previewed like an uploaded package', async () => {
    await db.updateTable('site').where('id', '=', own.siteId).set({ time_zone: 'Europe/Tallinn' }).execute()
    const { given, analysisId, job } = await analyzed()
    expect(job).toMatchObject({
      name: 'TICKET_SOURCE_ANALYSIS',
      status: 'SUCCESS',
      source: 'csv',
      files: given.files,
      filename: 'old system.csv',
      startedBy: { kind: 'person', name: 'manager@example.ee' },
      output: {
        records: 3,
        keptAs: null,
        timeZoneFrom: 'site',
        mapping: { timeZone: 'Europe/Tallinn' },
        notes: [{ code: 'unknown-states', values: ['Odd'], counts: [1] }],
        columns: [{ name: 'Id', filled: 3 }, {}, {}, { name: 'Colour', filled: 2 }],
      },
    })

    const trial = await post('/trial', { ...given, mapping: MAPPING, analysisId })
    await run('TICKET_CONVERSION_TRIAL')
    const tried = await get(conversions(`/${trial.body.jobId}`))
    expect(tried.body).toMatchObject({
      mapping: MAPPING,
      analysisId,
      output: {
        tickets: 3,
        unplaced: [{ column: 'Colour', values: 2 }],
        samples: [{ row: 1, externalId: 'A-1', title: 'Leak', state: 'open' }, { state: 'closed' }, { state: 'new' }],
      },
    })

    const body = { ...given, mapping: MAPPING, analysisId, filename: 'moved in.fpl', keepAs: ' Old system ' }
    const { body: started } = await post('', body)
    await run('TICKET_CONVERSION')
    const done = await get(conversions(`/${started.jobId}`))
    expect(done.body.output).toMatchObject({ tickets: 3, filename: 'moved in.fpl', hasAccount: true })

    const account = await get(conversions(`/${started.jobId}/unplaced?limit=1`))
    expect(account.body.unplaced).toEqual([
      { place: 'row 2', column: 'Colour', value: 'red', became: 'left out', code: 'left-out' },
    ])
    expect(Object.keys((account.body.unplaced as object[])[0] ?? {})).toEqual([
      ...['place', 'column', 'value', 'became', 'code'],
    ])
    expect(account.body.nextCursor).toBe('0')
    const csv = await get(conversions(`/${started.jobId}/unplaced?format=csv`))
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(String(csv.body.text).split('\r\n')).toHaveLength(4)

    // The export is gone, and with it what the analysis and the trial quoted.
    expect((await post('/analysis', given)).status).toBe(404)
    for (const id of [analysisId, trial.body.jobId]) {
      expect((await get(conversions(`/${id}`))).body).toMatchObject({ status: 'SUCCESS', output: null })
    }
    const uploads = await db.selectFrom('package_upload').where('site_id', '=', own.siteId).select('filename').execute()
    expect(uploads).toEqual([{ filename: 'moved in.fpl' }])

    const checking = await call(cloud, 'POST', pathOf(own, '/import/preview'), {
      headers: as.manager,
      body: { filename: 'moved in.fpl' },
    })
    await run('PREVIEW_TICKET_IMPORT')
    const preview = await get(pathOf(own, `/jobs/${checking.body.jobId}`))
    expect(preview.body.output).toMatchObject({ tickets: { total: 3, new: 3 } })
    const samples = await get(pathOf(own, `/jobs/${checking.body.jobId}/samples`), as.reader)
    expect(samples.body.samples).toMatchObject([{ title: 'Leak', exists: false }, {}, { title: 'Door' }])
  })

  test('with mistakes becomes no package, and the report names row and column', async () => {
    const { jobId } = await converted('broken.fpl', 'Id,Title\nA-1,Leak,more,than,there,should,be\n')
    const { body } = await get(conversions(`/${jobId}`))
    expect(body).toMatchObject({
      status: 'ERROR',
      resolved: true,
      output: { message: expect.stringContaining('row 2') },
    })
    const { body: report } = await get(conversions(`/${jobId}/problems`))
    const [problem] = report.problems as object[]
    expect(problem).toEqual({ place: 'row 2', column: 'column 3', message: expect.any(String) })
    const csv = await get(conversions(`/${jobId}/problems?format=csv`))
    expect(String(csv.body.text)).toMatch(/^place,column,message\r\nrow 2,column 3,/)
    expect((await get(conversions(`/${jobId}/unplaced`))).status).toBe(404)
    const preview = { headers: as.manager, body: { filename: 'broken.fpl' } }
    expect((await call(cloud, 'POST', pathOf(own, '/import/preview'), preview)).status).toBe(404)
  })

  test('that cannot be read is named without the folder in which this machine had it', async () => {
    const { files } = await upload('{"issues":[[', 'old system.json')
    const { body } = await post('/analysis', { source: 'jira', files })
    await run('TICKET_SOURCE_ANALYSIS')
    const { body: ended } = await get(conversions(`/${body.jobId}`))
    const { body: report } = await get(conversions(`/${body.jobId}/problems`))
    const said = JSON.stringify([ended.output, report.problems])
    expect(said).toContain('1-old-system.json')
    expect(said).not.toContain('/')
  })

  test('that two people convert at once becomes one package, and the second hears why', async () => {
    const { given } = await analyzed()
    const body = { ...given, mapping: MAPPING, filename: 'twice.fpl' }
    const jobs = [await post('', body), await post('', body)]
    for (const _ of jobs) await run('TICKET_CONVERSION')
    const ends = await Promise.all(jobs.map(({ body: { jobId } }) => get(conversions(`/${jobId}`))))
    expect(ends.map((end) => end.body.status)).toEqual(['SUCCESS', 'ERROR'])
    expect(ends[1]?.body.output).toEqual({
      message: expect.stringContaining('old system.csv is gone: it was converted'),
    })
  })

  test('beyond what the organization may store is not kept as a package', async () => {
    const { given } = await analyzed()
    await post('', { ...given, mapping: MAPPING, filename: 'much.fpl' })
    const limited = await openJobHandlers(
      { ...cloud.config, limits: { ...cloud.config.limits, packageBytesPerOrganization: 10 } },
      createLog('test', 'silent'),
      new AbortController().signal,
    )
    const usual = handlers
    handlers = limited.handlers
    const id = await run('TICKET_CONVERSION')
    handlers = usual
    await limited.db.destroy()
    const { body } = await get(conversions(`/${id}`))
    expect(body.output).toEqual({ message: expect.stringContaining('limit of 10 bytes') })
    // The export is still there for another try.
    expect((await post('/analysis', given)).status).toBe(200)
    await run('TICKET_SOURCE_ANALYSIS')
  })
})

describe('jobs of conversions', () => {
  test('do not exist for the routes of the contract', async () => {
    const { jobId } = await converted('apart.fpl')
    for (const path of ['', '/events', '/problems', '/findings', '/numbers', '/samples']) {
      expect((await get(pathOf(own, `/jobs/${jobId}${path}`))).status).toBe(404)
    }
    const { body } = await get(pathOf(own, '/jobs?limit=1000'))
    expect((body.jobs as { name: string }[]).every(({ name }) => name === 'PREVIEW_TICKET_IMPORT')).toBe(true)
    const { body: listed } = await get(conversions('?limit=2'))
    expect(listed).toMatchObject({ conversions: [{ id: jobId }, {}], nextCursor: expect.any(String) })
  })

  test('are the same 404 or 403 for everybody else', async () => {
    const { given, analysisId, jobId } = await converted('secret.fpl')
    for (const path of [`/${jobId}`, `/${jobId}/problems`, `/${jobId}/unplaced`, '', '/mappings']) {
      expect((await get(conversions(path), as.stranger)).status).toBe(403)
      expect((await get(conversions(path), as.viewer)).status).toBe(403)
      expect((await get(conversions(path), as.reader)).status).toBe(403)
    }
    // On their own site the ids of others mean nothing.
    for (const path of [`/${jobId}`, `/${jobId}/problems`, `/${jobId}/unplaced`]) {
      expect((await get(conversions(path, other), as.stranger)).status).toBe(404)
    }
    const fresh = await upload(CSV)
    const theirs = (path: string, body: object) =>
      call(cloud, 'POST', conversions(path, other), { headers: as.stranger, body })
    expect((await theirs('/analysis', fresh)).status).toBe(404)
    expect((await theirs('', { ...fresh, mapping: MAPPING, filename: 'x.fpl' })).status).toBe(404)
    expect((await post('/trial', { ...given, mapping: MAPPING, analysisId: 'job_unknown' })).status).toBe(404)
    expect((await post('/trial', { ...fresh, mapping: MAPPING, analysisId: jobId })).status).toBe(404)
    expect((await get(conversions(`/${analysisId}`), as.writer)).body.startedBy).toEqual({
      kind: 'person',
      id: null,
      name: null,
    })
  })

  test('lose what they quote after seven days', async () => {
    const { jobId } = await converted('old.fpl')
    const { analysisId } = await analyzed()
    const files = { remove: async (key: string) => void removed.push(key) }
    const removed: string[] = []
    const clock = createManualClock(Date.now() + REPORT_KEPT_MS - 60_000)
    expect(await sweepConversions({ db, files, clock })).toBe(0)
    await clock.advance(120_000)
    expect(await sweepConversions({ db, files, clock })).toBeGreaterThan(1)
    expect(removed).toContain(`exports/${own.siteId}/${jobId}`)
    expect((await get(conversions(`/${analysisId}`))).body.output).toBeNull()
    expect((await get(conversions(`/${jobId}`))).body.output).toMatchObject({ tickets: 3, hasAccount: false })
    expect((await get(conversions(`/${jobId}/unplaced`))).status).toBe(404)
    expect(await db.selectFrom('conversion_unplaced').selectAll().execute()).toEqual([])
  })

  test.each([
    ['an unknown ending', () => get(conversions('/upload-url?filename=a.exe')), 'filename'],
    ['no files', () => post('/analysis', { source: 'csv', files: [] }), 'files'],
    [
      'a path as an upload',
      () => post('/analysis', { source: 'csv', files: [{ uploadId: '../x', filename: 'a.csv' }] }),
      'files[0].uploadId',
    ],
    ['an unknown target', () => withMapping({ columns: { Id: 'nowhere' as never } }), 'mapping.columns.Id'],
    ['an unknown time zone', () => withMapping({ timeZone: '+03:00' }), 'mapping.timeZone'],
    ['a huge mapping', () => withMapping({ states: { ['x'.repeat(2_000_000)]: 'new' } }), 'mapping'],
    [
      'too many columns',
      () => withMapping({ columns: Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`c${n}`, 'omit'])) }),
      'mapping.columns',
    ],
    ['the name of another kind of file', () => withMapping({}, 'a.zip'), 'filename'],
  ])('with %s are refused', async (_what, send, field) => {
    expect(await send()).toMatchObject({ status: 400, body: { field } })
  })

  async function withMapping(changes: Partial<Mapping>, filename = 'a.fpl') {
    return post('', { ...(await upload(CSV)), mapping: { ...MAPPING, ...changes }, filename })
  }
})

describe('mappings', () => {
  const save = (name: string, mapping = MAPPING, headers = as.manager) =>
    call(cloud, 'PUT', conversions('/mappings'), { headers, body: { source: 'csv', name, mapping } })
  const names = async () => {
    const { body } = await get(conversions('/mappings'))
    return (body.mappings as { name: string }[]).map(({ name }) => name)
  }

  test('are kept by name, proposed for the next export that fits, and removed', async () => {
    expect(await names()).toEqual(['Old system'])
    const kept = await save('Old system', {
      ...MAPPING,
      columns: { ...MAPPING.columns, Gone: 'unit' },
      dateOrder: 'mdy',
    })
    expect(kept.body).toMatchObject({ name: 'Old system', source: 'csv', savedAt: expect.any(String) })
    const { job } = await analyzed('Id,Title,Status,Colour,Extra\nB-1,x,Open,red,1\n')
    expect(job.output).toMatchObject({
      keptAs: 'Old system',
      mapping: { dateOrder: 'mdy', columns: { ...MAPPING.columns, Extra: 'description+' }, states: MAPPING.states },
    })
    expect((job.output as { mapping: Mapping }).mapping.columns).not.toHaveProperty('Gone')
    expect((await analyzed('Something,Else\n1,2\n')).job.output).toMatchObject({ keptAs: null })

    const remove = (headers: Headers) => call(cloud, 'DELETE', conversions(`/mappings/${kept.body.id}`), { headers })
    expect((await remove(as.stranger)).status).toBe(403)
    const there = conversions(`/mappings/${kept.body.id}`, other)
    expect((await call(cloud, 'DELETE', there, { headers: as.stranger })).status).toBe(404)
    expect((await remove(as.writer)).status).toBe(204)
    expect((await remove(as.writer)).status).toBe(404)
    expect(await names()).toEqual([])
  })

  test('are bounded in number, also for people who save at once', async () => {
    const answers = await Promise.all(Array.from({ length: 53 }, (_, n) => save(`m${n}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
    const [kept] = await names()
    expect((await save(String(kept))).status).toBe(200)
  })
})

test('the activity log has conversions and mappings, without what the export says', async () => {
  const { body } = await get(`/api/orgs/${own.orgId}/activity?limit=500`, {
    authorization: `Bearer ${cloud.ready.adminToken}`,
  })
  const actions = (body.entries as { action: string; subject: { name: string | null } }[]).filter(({ action }) =>
    /^(conversion|mapping)-/.test(action),
  )
  expect(new Set(actions.map(({ action }) => action))).toEqual(
    new Set(['conversion-started', 'mapping-saved', 'mapping-removed']),
  )
  expect(JSON.stringify(actions)).not.toMatch(/Old system|Colour/)
})

test('the list of values quotes long ones only in part, and the file has them whole', async () => {
  const { jobId } = await converted('long.fpl', `Id,Title,Status,Colour\nA-1,Leak,Open,${'🟥'.repeat(5000)}\n`)
  const { body } = await get(conversions(`/${jobId}/unplaced`))
  expect(body.unplaced).toMatchObject([{ value: `${'🟥'.repeat(500)}…` }])
  const csv = await get(conversions(`/${jobId}/unplaced?format=csv`))
  expect(String(csv.body.text)).toContain('🟥'.repeat(5000))
})

test('attachments that are missing are problems, unless the caller allows it', async () => {
  const mapping: Mapping = { ...MAPPING, columns: { Id: 'externalId', Title: 'title', Files: 'attachments' } }
  const given = await upload('Id,Title,Files\nA-1,Leak,photo.jpg\n')
  const outcome = async (allowed: object) => {
    const { body } = await post('/trial', { ...given, mapping, ...allowed })
    await run('TICKET_CONVERSION_TRIAL')
    return (await get(conversions(`/${body.jobId}`))).body.output
  }
  expect(await outcome({})).toMatchObject({ message: expect.stringContaining('photo.jpg') })
  expect(await outcome({ allowMissing: true })).toMatchObject({ tickets: 1, attachments: 0 })
})
