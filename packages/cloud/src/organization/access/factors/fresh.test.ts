import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import {
  addTenant,
  asOperator,
  call,
  commandPath,
  createKey,
  startTestCloud,
  type Tenant,
} from '../../../testing/cloud.ts'
import { FRESH, MATRIX, SPENDS_DEVICE } from '../testing/matrix.ts'
import { addPerson, PASSWORD } from '../testing/people.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let db: Db
let tenant: Tenant
beforeAll(async () => {
  cloud = await startTestCloud({ replyTimeoutMs: 50 })
  db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  tenant = await addTenant(cloud, 'Organization')
})
afterAll(async () => {
  await db?.destroy()
  await cloud?.stop()
})

async function addAdmin() {
  const email = `${newId('person')}@example.com`
  const person = await addPerson(cloud, tenant.orgId, email, { role: 'admin' })
  const age = (minutes: number) =>
    sql`UPDATE user_session SET verified_at = now() - make_interval(mins => ${minutes}) WHERE user_id = ${person.userId}`.execute(
      db,
    )
  return { email, age, ...person }
}

function fill(route: string): [string, string] {
  const [method = '', path = ''] = route.split(' ')
  const { orgId, siteId, deviceId } = tenant
  const ids: Record<string, string> = {
    ':orgId': orgId,
    ':siteId': siteId,
    ':propertyId': siteId,
    ':deviceId': deviceId,
  }
  return [method, path.replaceAll(/:\w+/g, (name) => ids[name] ?? 'none').replace('*', 'index.html')]
}

test('the list of routes that need a recent proof is complete', () => {
  const declared = cloud.routes.flatMap(({ method, url, config }) => {
    const access = config?.access
    const fresh = access && 'fresh' in access ? access.fresh : undefined
    return fresh === undefined ? [] : [[`${method} ${url}`, fresh] as const]
  })
  expect(Object.fromEntries(declared)).toEqual(FRESH)
})

test('they are refused 15 minutes after the last proof, to people only, and no other route is', async () => {
  const { headers, age } = await addAdmin()
  await age(15)
  for (const route of Object.keys(MATRIX)) {
    if (MATRIX[route]?.['an administrator'] !== 'passes') continue
    if (route === 'DELETE /api/session' || SPENDS_DEVICE.has(route)) continue
    const [method, path] = fill(route)
    // Streams never end, so only the start of the answer is read.
    const response = await fetch(cloud.ready.baseUrl + path, {
      method,
      headers: { ...headers, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
      body: method === 'GET' ? null : '{"data":{}}',
    })
    const isError = response.status === 403 && response.headers.get('content-type')?.includes('json')
    const code = isError ? ((await response.json()) as { code: string }).code : undefined
    await response.body?.cancel().catch(() => undefined)
    expect([route, code]).toEqual([route, FRESH[route] === true ? 'RECENT_SIGN_IN_REQUIRED' : undefined])
  }
})

test('a password proves it again for this session only, and wrong ones are limited as at sign-in', async () => {
  const { headers, age, email } = await addAdmin()
  const other = await addAdmin()
  await age(16)
  await other.age(16)
  const keys = `/api/orgs/${tenant.orgId}/api-keys`
  const create = (from: Record<string, string>) =>
    call(cloud, 'POST', keys, { headers: from, body: { name: 'Key', permissions: ['ticket:read'] } })
  const verify = (body: object, from: Record<string, string> = headers) =>
    call(cloud, 'POST', '/api/session/verify', { headers: from, body })
  expect((await create(headers)).body.code).toBe('RECENT_SIGN_IN_REQUIRED')
  const wrong = await verify({ password: 'wrong' })
  expect([wrong.status, wrong.body.field]).toEqual([400, 'password'])
  expect((await verify({ password: PASSWORD }, { ...headers, origin: 'https://evil.example' })).status).toBe(403)
  expect((await create(headers)).status).toBe(403)
  expect((await verify({ password: PASSWORD })).status).toBe(204)
  expect((await create(headers)).status).toBe(201)
  expect((await create(other.headers)).status).toBe(403)
  await age(14)
  expect((await create(headers)).status).toBe(201)
  for (let times = 0; times < 5; times += 1) expect((await verify({ password: 'wrong' })).status).toBe(400)
  const limited = await verify({ password: PASSWORD })
  expect([limited.status, limited.headers.has('retry-after'), email !== other.email]).toEqual([429, true, true])
  expect((await asOperator(cloud, 'POST', keys, { name: 'Key', permissions: ['ticket:read'] })).status).toBe(201)
})

test('an override outside the envelope needs it, one inside does not, and keys never do', async () => {
  const { headers, age } = await addAdmin()
  const { apiKey } = await createKey(cloud, tenant.orgId, ['edge-device:read_write'])
  const datapoint = (id: string, writeInputData?: object) => ({
    id,
    name: id,
    ...(writeInputData && { writeInputData }),
  })
  const datapoints = [datapoint('bounded', { min: -10, max: 20 }), datapoint('free')]
  await db
    .insertInto('technical_system')
    .values({
      ...{ id: 'sys', device_id: tenant.deviceId, name: 'System' },
      document: JSON.stringify({ id: 'sys', name: 'System', connections: [{ id: 'con', datapoints }] }),
    })
    .execute()
  const override = async (sent: Record<string, string>, datapointId: string, value: number) => {
    const now = Date.now()
    const data = { datapointId, value, from: new Date(now).toISOString(), to: new Date(now + 60_000).toISOString() }
    const path = commandPath(tenant.orgId, tenant.deviceId, 'demandResponseOverride')
    return (await call(cloud, 'POST', path, { headers: sent, body: { data } })).body.code
  }
  // The device is offline, so an accepted command ends there.
  const cases = [
    ['bounded', 20, true],
    ['bounded', -10, true],
    ['bounded', 20.1, false],
    ['bounded', -11, false],
    ['free', 1000, true],
    ['unknown', 1, false],
  ] as const
  await age(20)
  for (const [id, value, passes] of cases) {
    const expected = passes ? 'DEVICE_OFFLINE' : 'RECENT_SIGN_IN_REQUIRED'
    expect([id, value, await override(headers, id, value)]).toEqual([id, value, expected])
    expect([id, value, await override({ 'x-api-key': apiKey }, id, value)]).toEqual([id, value, 'DEVICE_OFFLINE'])
  }
  await age(0)
  for (const [id, value] of cases) expect(await override(headers, id, value)).toBe('DEVICE_OFFLINE')
})
