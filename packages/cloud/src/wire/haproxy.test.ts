import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addPerson, PASSWORD } from '../organization/access/testing/people.ts'
import { addTenant, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'
import { type Haproxy, PUBLIC_NAME, startHaproxy, withoutHaproxy } from '../testing/haproxy.ts'

const PUBLIC_URL = `https://${PUBLIC_NAME}`
const ANN = 'ann@example.com'
const BOB = 'bob@example.com'
/** Addresses of this machine, each of which stands for a caller. */
const [OFFICE, GUESSER] = ['127.0.0.3', '127.0.0.2']

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let apiKey: string
let proxy: Haproxy
const folder = mkdtempSync(join(tmpdir(), 'plantroom-haproxy-'))

beforeAll(async () => {
  if (withoutHaproxy) return
  cloud = await startTestCloud({ publicUrl: PUBLIC_URL, trustedProxies: ['127.0.0.1'] })
  // Without the proxy, as the operator on the machine.
  const direct = { ...cloud, ready: { ...cloud.ready, baseUrl: `http://127.0.0.1:${cloud.ready.port}` } }
  tenant = await addTenant(direct, 'Organization')
  apiKey = (await createKey(direct, tenant.orgId, ['ticket:read_write', 'edge-device:read_write'])).apiKey
  for (const email of [ANN, BOB]) await addPerson(direct, tenant.orgId, email, { role: 'admin' })
  proxy = await startHaproxy(folder, [cloud.ready.port, cloud.ready.port])
})
afterAll(async () => {
  await proxy?.stop()
  await cloud?.stop()
  rmSync(folder, { recursive: true })
})

const signIn = (
  about: { email?: string; password?: string; from?: string; headers?: Record<string, string> },
  by = proxy,
) =>
  by.send({
    method: 'POST',
    path: '/api/session',
    from: about.from ?? OFFICE,
    headers: { origin: PUBLIC_URL, ...about.headers },
    body: { email: about.email ?? ANN, password: about.password ?? PASSWORD },
  })

/** The addresses of a person's sessions, as the service recorded them. */
async function addressesOf(cookie: string | undefined, by = proxy): Promise<unknown[]> {
  const { body } = await by.send({ path: '/api/session/all', headers: { cookie: cookie ?? '' } })
  return (body.sessions as { address: string }[]).map(({ address }) => address)
}

describe.skipIf(withoutHaproxy)('a cloud behind HAProxy', () => {
  test('knows its callers by the address that the proxy saw, whatever they claim', async () => {
    const { status, cookie } = await signIn({
      headers: { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
    })
    expect(status).toBe(200)
    expect(await addressesOf(cookie)).toContain(OFFICE)
    expect(await addressesOf(cookie)).not.toContain('203.0.113.9')
  })

  test('that does not know the proxy believes no address of it', async () => {
    const own = mkdtempSync(join(tmpdir(), 'plantroom-haproxy-'))
    onTestFinished(() => rmSync(own, { recursive: true }))
    const unaware = await startTestCloud({ databaseUrl: cloud.config.databaseUrl, publicUrl: PUBLIC_URL })
    onTestFinished(() => unaware.stop())
    const other = await startHaproxy(own, [unaware.ready.port, unaware.ready.port])
    onTestFinished(() => other.stop())
    const { status, cookie } = await signIn({ email: BOB, from: '127.0.0.4' }, other)
    expect(status).toBe(200)
    expect(await addressesOf(cookie, other)).not.toContain('127.0.0.4')
  })

  test('lets people sign in while someone else guesses 51 passwords and blames them', async () => {
    const blame = { 'x-forwarded-for': OFFICE }
    const guess = (name: string) =>
      signIn({ email: `guess-${name}@example.com`, password: 'wrong', from: GUESSER, headers: blame })
    // Not more together than may wait for one address.
    for (let round = 0; round < 3; round += 1) {
      const guesses = await Promise.all(Array.from({ length: 17 }, (_, index) => guess(`${round}-${index}`)))
      expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]))
    }
    // More attempts than a busy address leaves to an account.
    for (let times = 0; times < 4; times += 1) expect((await signIn({ password: 'wrong' })).status).toBe(401)
    expect((await signIn({})).status).toBe(200)
    const busy: unknown[] = []
    for (let times = 0; times < 3; times += 1) busy.push((await signIn({ password: 'wrong', from: GUESSER })).status)
    expect(busy).toEqual([401, 401, 429])
  })

  test('answers only under its own name, and to its own pages', async () => {
    expect((await signIn({ headers: { host: 'evil.example' } })).status).toBe(421)
    for (const origin of ['https://evil.example', `http://${PUBLIC_NAME}`]) {
      expect((await signIn({ headers: { origin } })).status).toBe(403)
    }
  })

  test.each(['/metrics', '/%6detrics', '/metrics?x=1', '/metrics/'])('keeps %s to the operator', async (path) => {
    const { status, body } = await proxy.send({ path })
    expect([status, String(body.text)]).toEqual([403, expect.not.stringContaining('plantroom_')])
  })

  test('streams events as they come', async () => {
    const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/live`
    expect(await proxy.firstBytes(path, { 'x-api-key': apiKey })).toMatch(/^200 /)
  })

  test('takes an upload whole', async () => {
    const site = `/api/orgs/${tenant.orgId}/properties/${tenant.siteId}`
    const path = `${site}/ticket-packages/import/upload-url?filename=a.fpl`
    const { body } = await proxy.send({ path, headers: { 'x-api-key': apiKey } })
    const url = new URL(String(body.url))
    expect(url.origin).toBe(PUBLIC_URL)
    const bytes = Buffer.alloc(5_000_000, 'plantroom')
    const { status } = await proxy.send({ method: 'PUT', path: `${url.pathname}${url.search}`, body: bytes })
    expect(status).toBe(200)
  })
})

/** Stands for a cloud process, with the answers of its checks. */
async function startProcess(name: string) {
  const state = { ready: true }
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/readyz' && !state.ready ? 503 : 200
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ name }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { state, server, port: (server.address() as AddressInfo).port }
}

describe.skipIf(withoutHaproxy)('two cloud processes behind HAProxy', () => {
  test('share requests; one that is not ready gets none while the other is, and both get them when none is', async () => {
    const [one, two] = [await startProcess('one'), await startProcess('two')]
    const balanced = await startHaproxy(folder, [one.port, two.port])
    onTestFinished(async () => {
      await balanced.stop()
      for (const { server } of [one, two]) server.close()
    })
    const answering = async () => {
      const answers = await Promise.all([...Array(8)].map(() => balanced.send({ path: '/api/any' })))
      return [...new Set(answers.map(({ status, body }) => `${status} ${body.name}`))].sort()
    }
    const expectAnswers = (expected: readonly string[]) =>
      eventually(async () => expect(await answering()).toEqual(expected))

    await expectAnswers(['200 one', '200 two'])
    one.state.ready = false
    await expectAnswers(['200 two'])
    two.state.ready = false
    await expectAnswers(['200 one', '200 two'])
    one.server.close()
    one.server.closeAllConnections()
    await expectAnswers(['200 two'])
    two.state.ready = true
    await expectAnswers(['200 two'])
  })
})
