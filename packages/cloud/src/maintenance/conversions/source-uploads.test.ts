import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../platform/db/database.ts'
import { startS3 } from '../../platform/files/testing/s3-server.ts'
import type { JobHandlers } from '../../platform/jobs/index.ts'
import { settleJob } from '../../platform/jobs/queue.ts'
import { claimNext } from '../../platform/jobs/testing/attempts.ts'
import { addTenant, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { openJobHandlers } from '../../wire/job-process.ts'
import { JOB_KINDS } from '../packages/index.ts'

// Two parts: one long cell costs little to parse.
const CSV = Buffer.from(`Id,Title,Filler\nA-1,Leak,"${'x'.repeat(PART_BYTES)}"\n`)
const NAME = 'Vana süsteem #1.csv'
const partOf = (number: number, bytes = CSV) => bytes.subarray((number - 1) * PART_BYTES, number * PART_BYTES)
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare it with what they expect
  body: any
}

describe.each(['on disk', 'in a bucket'])('the upload of an export %s', (where) => {
  let cloud: Awaited<ReturnType<typeof startTestCloud>>
  let own: Tenant
  let other: Tenant
  let db: Db
  let handlers: JobHandlers
  const keys = new Map<Tenant, string>()
  const cleanup = new AsyncDisposableStack()

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plantroom-sources-'))
    cleanup.defer(() => rmSync(folder, { recursive: true }))
    const bucket = where === 'in a bucket' ? await startS3(folder) : undefined
    if (bucket) cleanup.defer(bucket.close)
    cloud = await startTestCloud(bucket && { s3: bucket.settings })
    cleanup.defer(() => cloud.stop())
    own = await addTenant(cloud, 'Own')
    other = await addTenant(cloud, 'Other')
    for (const tenant of [own, other]) {
      keys.set(tenant, (await createKey(cloud, tenant.orgId, ['ticket:read_write'])).apiKey)
    }
    ;({ db, handlers } = await openJobHandlers(cloud.config, createLog('test', 'silent'), new AbortController().signal))
    cleanup.defer(() => db.destroy())
  })
  afterAll(() => cleanup.disposeAsync())

  const ask = (method: string, path: string, body?: object, as = own): Promise<Answered> =>
    call(cloud, method, `/api/orgs/${as.orgId}/properties/${as.siteId}/ticket-packages${path}`, {
      headers: { 'x-api-key': keys.get(as) ?? '' },
      body,
    })
  const start = (changes: object = {}, as = own) =>
    ask('POST', '/import/uploads', { filename: NAME, size: CSV.length, purpose: 'conversion', ...changes }, as)
  const offer = (id: string, number: number, bytes = CSV) =>
    ask('POST', `/import/uploads/${id}/parts`, { parts: [{ number, sha256: sumOf(partOf(number, bytes)) }] })
  async function send(id: string, number: number): Promise<void> {
    const { body } = await offer(id, number)
    expect((await fetch(body.parts[0].url, { method: 'PUT', body: partOf(number) })).status).toBe(200)
  }
  const complete = (id: string) => ask('POST', `/import/uploads/${id}/complete`)
  const analyze = (uploadId: string, as = own) =>
    ask('POST', '/conversions/analysis', { source: 'csv', files: [{ uploadId, filename: NAME }] }, as)
  const recorded = async () =>
    (await db.selectFrom('package_upload').select('filename').execute()).map(({ filename }) => filename)

  test('continues after a cut, is read by a job, and is another file than the next of its name', async () => {
    const { body: begun } = await start()
    expect(begun).toMatchObject({ purpose: 'conversion', filename: NAME, parts: [] })
    const id = String(begun.uploadId)
    await send(id, 2)
    // Nothing is visible before the end.
    expect((await analyze(id)).status).toBe(404)
    expect((await complete(id)).status).toBe(409)

    const again = await start({ filename: NAME.normalize('NFD') })
    expect(again.body).toMatchObject({ uploadId: id, parts: [{ number: 2, sha256: sumOf(partOf(2)) }] })
    expect(await offer(id, 2, Buffer.alloc(CSV.length))).toMatchObject({ status: 409 })
    expect((await ask('GET', '/import/uploads?purpose=import')).body.uploads).toEqual([])
    expect((await ask('GET', '/import/uploads?purpose=conversion')).body.uploads).toMatchObject([
      { uploadId: id, purpose: 'conversion', storedBytes: CSV.length - PART_BYTES },
    ])
    await send(id, 1)
    for (let times = 0; times < 2; times += 1) expect((await complete(id)).status).toBe(200)

    const { body: next } = await start()
    expect(next.uploadId).not.toBe(id)
    expect((await ask('DELETE', `/import/uploads/${next.uploadId}`)).status).toBe(204)
    expect(await recorded()).toEqual([`source ${id}`])

    expect((await analyze(id)).status).toBe(200)
    const deps = { db, kinds: JOB_KINDS, retryDelayS: 0 }
    const job = await claimNext(deps, 'TICKET_SOURCE_ANALYSIS', 'worker')
    if (!job) throw new Error('no analysis is due')
    const tools = { job, progress() {}, signal: new AbortController().signal }
    const output = await handlers.TICKET_SOURCE_ANALYSIS(tools)
    expect(output).toMatchObject({ records: 1, columns: [{ name: 'Id' }, {}, { name: 'Filler', filled: 1 }] })
    await settleJob(deps, job, { kind: 'done', output })
  })

  test('is refused with a name or a size that cannot be, and leaves no name behind', async () => {
    const before = await recorded()
    for (const [changes, field] of [
      [{ filename: 'a.fpl' }, 'filename'],
      [{ filename: 'a.csv', purpose: 'import' }, 'filename'],
      [{ filename: `${'a'.repeat(252)}.csv` }, 'filename'],
      [{ purpose: 'somewhere' }, 'purpose'],
      [{ size: 5_000_000_001 }, 'size'],
    ] as const) {
      expect(await start(changes)).toMatchObject({ status: 400, body: { field } })
    }
    const ids = await Promise.all([1, 2, 3].map(async () => (await start({ size: 100 })).body.uploadId))
    expect(new Set(ids).size).toBe(1)
    await ask('DELETE', `/import/uploads/${ids[0]}`)
    expect(await recorded()).toEqual(before)
  })

  test('is of one site: its id means nothing elsewhere', async () => {
    const { body } = await start({ size: 100 })
    expect((await analyze(String(body.uploadId), other)).status).toBe(404)
    expect((await ask('GET', `/import/uploads/${body.uploadId}`, undefined, other)).status).toBe(404)
    expect((await start({ size: 100 }, other)).body.uploadId).not.toBe(body.uploadId)
  })
})
