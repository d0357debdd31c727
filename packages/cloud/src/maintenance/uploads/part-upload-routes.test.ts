import { createHash, randomUUID } from 'node:crypto'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { addTenant, asOperator, call, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'

const MAX_BYTES = 3 * PART_BYTES
const BYTES = Buffer.alloc(PART_BYTES + 700, 'plantroom')
const partOf = (number: number, bytes = BYTES) => bytes.subarray((number - 1) * PART_BYTES, number * PART_BYTES)
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare it with what they expect
  body: any
}

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let ours: Tenant
let theirs: Tenant
let keys: { ours: string; theirs: string }

beforeAll(async () => {
  const { limits } = readConfig({})
  cloud = await startTestCloud({ limits: { ...limits, packageBytesPerOrganization: MAX_BYTES } })
  ours = await addTenant(cloud, 'Ours')
  theirs = await addTenant(cloud, 'Theirs')
  const key = async ({ orgId }: Tenant) => (await createKey(cloud, orgId, ['ticket:read_write'])).apiKey
  keys = { ours: await key(ours), theirs: await key(theirs) }
})
afterAll(() => cloud.stop())

const base = ({ orgId, siteId }: Tenant) => `/api/orgs/${orgId}/properties/${siteId}/ticket-packages/import`
const ask = (
  method: string,
  path: string,
  body?: object,
  as: keyof typeof keys = 'ours',
  on = ours,
): Promise<Answered> => call(cloud, method, `${base(on)}/uploads${path}`, { headers: { 'x-api-key': keys[as] }, body })

const newName = () => `${randomUUID()}.fpl`
const begin = async (filename = newName(), size = BYTES.length) => {
  const { status, body } = await ask('POST', '', { filename, size })
  expect([status, body.message]).toEqual([200, undefined])
  return { filename, id: String(body.uploadId) }
}
const offer = (id: string, numbers: number[], bytes = BYTES) =>
  ask('POST', `/${id}/parts`, { parts: numbers.map((number) => ({ number, sha256: sumOf(partOf(number, bytes)) })) })
async function send(id: string, number: number): Promise<void> {
  const { body } = await offer(id, [number])
  expect((await fetch(body.parts[0].url, { method: 'PUT', body: partOf(number) })).status).toBe(200)
}
const remove = (id: string) => ask('DELETE', `/${id}`)

describe('an upload in parts', () => {
  test('continues where it was, for whoever asks, and becomes the package', async () => {
    const { id, filename } = await begin()
    await send(id, 2)
    const again = await ask('POST', '', { filename, size: BYTES.length })
    expect(again.body).toEqual({
      uploadId: id,
      purpose: 'import',
      filename,
      size: BYTES.length,
      partBytes: PART_BYTES,
      startedAt: expect.any(String),
      usedAt: expect.any(String),
      expiresAt: expect.any(String),
      completed: false,
      parts: [{ number: 2, sha256: sumOf(partOf(2)) }],
    })
    expect((await ask('GET', `/${id}`)).body.parts).toEqual(again.body.parts)
    expect((await ask('GET', '')).body.uploads).toMatchObject([{ uploadId: id, storedBytes: 700 }])
    await send(id, 1)
    expect((await call(cloud, 'POST', `${base(ours)}/preview`, preview(filename))).status).toBe(404)
    for (let times = 0; times < 2; times += 1) {
      expect(await ask('POST', `/${id}/complete`)).toMatchObject({
        status: 200,
        body: { filename, size: BYTES.length },
      })
    }
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ completed: true, parts: [] })
    expect((await ask('GET', '')).body.uploads).toEqual([])
    expect((await remove(id)).status).toBe(409)
    expect((await offer(id, [1])).status).toBe(409)
    expect((await call(cloud, 'POST', `${base(ours)}/preview`, preview(filename))).status).toBe(200)
  })

  test('is not completed without all of its parts', async () => {
    const { id } = await begin()
    await send(id, 2)
    expect(await ask('POST', `/${id}/complete`)).toMatchObject({
      status: 409,
      body: { message: 'part 1 of the upload is missing: send what is missing first' },
    })
    // Offered, but not sent.
    await offer(id, [1])
    expect((await ask('POST', `/${id}/complete`)).status).toBe(409)
    await remove(id)
  })

  test('refuses the parts of another file of the same name and size', async () => {
    const { id, filename } = await begin()
    await send(id, 2)
    const other = Buffer.alloc(BYTES.length, 'another')
    expect(await offer(id, [2], other)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(`the unfinished upload of ${filename} is of another file`) },
    })
    expect((await offer(id, [2])).status).toBe(200)
    await remove(id)
  })

  test('gives way to a file of another size under its name', async () => {
    const { id, filename } = await begin()
    const other = await begin(filename, 10)
    expect(other.id).not.toBe(id)
    expect((await ask('GET', `/${id}`)).status).toBe(404)
    await remove(other.id)
  })

  test.each([
    [{ filename: 'a.zip', size: 5 }, 'filename'],
    [{ filename: 'a.fpl', size: 0 }, 'size'],
    [{ filename: 'a.fpl', size: 5_000_000_001 }, 'size'],
    [{ filename: 'a.fpl' }, 'size'],
  ])('is refused for %j, naming %s', async (body, field) => {
    expect(await ask('POST', '', body)).toMatchObject({ status: 400, body: { field } })
  })

  test('has no addresses for parts beyond its end, or for other sums', async () => {
    const { id } = await begin()
    const part = (number: number, sha256 = '0'.repeat(64)) =>
      ask('POST', `/${id}/parts`, { parts: [{ number, sha256 }] })
    for (const answer of [part(3), part(0), part(1, 'x'), ask('POST', `/${id}/parts`, { parts: [] })]) {
      expect((await answer).status).toBe(400)
    }
    await remove(id)
  })

  test('counts against what the organization may store until it is cancelled', async () => {
    const large = await begin(newName(), 2 * PART_BYTES - 1000)
    const refused = await ask('POST', '', { filename: newName(), size: BYTES.length })
    expect(refused).toMatchObject({ status: 429, body: { message: expect.stringContaining('reached its limit') } })
    expect((await remove(large.id)).status).toBe(204)
    await remove((await begin()).id)
  })

  test('started twice at once is one upload', async () => {
    const filename = newName()
    const ids = await Promise.all([1, 2, 3].map(async () => (await begin(filename, 100)).id))
    expect(new Set(ids).size).toBe(1)
    await remove(ids[0] ?? '')
  })

  test('is unknown to another organization, whichever way it asks', async () => {
    const { id } = await begin()
    for (const [method, path, body] of [
      ['GET', `/${id}`, undefined],
      ['POST', `/${id}/parts`, { parts: [{ number: 1, sha256: sumOf(partOf(1)) }] }],
      ['POST', `/${id}/complete`, undefined],
      ['DELETE', `/${id}`, undefined],
    ] as const) {
      expect((await ask(method, path, body, 'theirs', theirs)).status).toBe(404)
      expect((await ask(method, path, body, 'theirs', ours)).status).toBe(403)
    }
    expect((await ask('GET', '', undefined, 'theirs', theirs)).body.uploads).toEqual([])
    expect((await ask('GET', `/${id}`)).status).toBe(200)
    await remove(id)
  })

  test('is in the activity log: started, completed, cancelled', async () => {
    const { id } = await begin(newName(), 700)
    await remove(id)
    const { body } = await asOperator(cloud, 'GET', `/api/orgs/${ours.orgId}/activity`)
    const entries = body.entries as { action: string; subject: { kind: string; id: string } | null }[]
    expect(entries.filter(({ subject }) => subject?.id === id).map(({ action }) => action)).toEqual([
      'upload-cancelled',
      'upload-started',
    ])
    expect(entries.map(({ action }) => action)).toContain('upload-completed')
  })
})

function preview(filename: string) {
  return { headers: { 'x-api-key': keys.ours }, body: { filename } }
}
