import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MATRIX } from '../../organization/access/testing/matrix.ts'
import { addPerson, type SignedInHeaders } from '../../organization/access/testing/people.ts'
import { addTenant, commandPath, createKey, startTestCloud, type Tenant } from '../../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let apiKey: string
let person: SignedInHeaders

beforeAll(async () => {
  cloud = await startTestCloud()
  tenant = await addTenant(cloud, 'Organization')
  apiKey = (await createKey(cloud, tenant.orgId, ['edge-device:read_write'])).apiKey
  person = (await addPerson(cloud, tenant.orgId, 'admin@example.com', { role: 'admin' })).headers
})
afterAll(() => cloud?.stop())

interface RawAnswer {
  status: number
  contentType: string
  text: string
}

/** Sends raw bytes, because fetch would correct most of them. */
async function send(lines: readonly string[], body = ''): Promise<RawAnswer> {
  const socket = connect(cloud.ready.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'utf8'))
  await once(socket, 'close')
  const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  return {
    status: Number(head.split(' ')[1]),
    contentType: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
    text: rest.join('\r\n\r\n'),
  }
}

const HOST = ['Host: 127.0.0.1', 'Connection: close']
const key = () => `X-Api-Key: ${apiKey}`
const operator = () => `Authorization: Bearer ${cloud.ready.adminToken}`
/** The headers of a caller whom the route admits: a stranger never reaches what a hostile id can break. */
function admitted(route: string): string[] {
  const verdicts = MATRIX[route]
  if (verdicts?.['the admin token'] === 'passes') return [operator()]
  if (verdicts?.['a key for devices'] === 'passes') return [key()]
  return [`Cookie: ${person.cookie}`, `Origin: ${person.origin}`]
}
const values = () => commandPath(tenant.orgId, tenant.deviceId, 'getTechnicalConnectionValues')
const jsonHeaders = (body: string) => ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]

const get = (url: string, ...headers: string[]) => send([`GET ${url} HTTP/1.1`, ...HOST, ...headers])
const post = (url: string, body: string, ...headers: string[]) =>
  send([`POST ${url} HTTP/1.1`, ...HOST, ...jsonHeaders(body), ...headers], body)

/** Checks that an answer is an error in the common format, with a bounded message. */
function expectError({ status, contentType, text }: RawAnswer): Record<string, unknown> & { status: number } {
  expect(contentType, text).toMatch(/^application\/json\b/)
  const body = JSON.parse(text)
  expect(body).toEqual({
    message: expect.stringMatching(/./),
    code: expect.stringMatching(/^[A-Z_]+$/),
    reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ...(status === 400 && { field: expect.stringMatching(/./) }),
  })
  expect(body.message.length).toBeLessThan(400)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not occur
  expect(body.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
  return { status, ...body }
}

describe('a very long path segment', () => {
  const long = 'd'.repeat(5_000)
  const path = (deviceId: string, command = 'getTechnicalConnectionValues') =>
    commandPath(tenant.orgId, deviceId, command)

  test('answers 401 without a key, and 403 with one, like any unknown device', async () => {
    const stranger = expectError(await post(path(long), '{"data":{"id":"x"}}'))
    expect(stranger).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    const refused = expectError(await post(path(long), '{"data":{"id":"x"}}', key()))
    const unknown = expectError(await post(path('dev_unknown'), '{"data":{"id":"x"}}', key()))
    expect(refused).toEqual({ ...unknown, reqId: refused.reqId })
    expect(refused.status).toBe(403)
  })

  test('as a command answers 400 with its start and the list of commands', async () => {
    const answer = expectError(await post(path(tenant.deviceId, 'c'.repeat(5_000)), '{}', key()))
    expect(answer).toMatchObject({ status: 400, field: 'command' })
    expect(answer.message).toMatch(/^there is no command c{100}…; the commands are getTechnicalDataPoints, /)
  })
})

describe('malformed percent-encoding', () => {
  test.each(['%zz', '%', '%e', '%ff', '%C3%28', '%u0041', 'a%00%2'])(
    'like %s answers 401 without a key and 400 with one',
    async (id) => {
      const url = commandPath(tenant.orgId, id, 'getTechnicalConnectionValues')
      expect(expectError(await post(url, '{}'))).toMatchObject({ status: 401 })
      expect(expectError(await get(`/api/orgs/${id}/devices`))).toMatchObject({ status: 401 })
      const answer = expectError(await post(url, '{}', key()))
      expect(answer).toMatchObject({ status: 400, code: 'INVALID', field: 'path' })
      expect(answer.message).toContain(`/edge-device-admin/${id}/cmd`)
      expect(expectError(await get(`/api/orgs/${id}/devices`, operator()))).toMatchObject({
        status: 400,
        field: 'path',
      })
    },
  )

  test.each(['/%zz', '/api/%zz', '/api/nothing/%ff', '/assets/%zz', '/docs/static/%zz', '/healthz/%'])(
    'in %s, which needs no key, answers 400',
    async (url) => {
      expect(expectError(await get(url))).toMatchObject({ status: 400, field: 'path' })
      expect(expectError(await post(url, '{}'))).toMatchObject({ status: 400, field: 'path' })
    },
  )

  test('in the query does not affect routing', async () => {
    expect((await get('/healthz?x=%zz')).status).toBe(200)
  })

  test('does not affect valid encoding', async () => {
    const encoded = tenant.deviceId.replace('_', '%5F')
    expect(expectError(await post(commandPath(tenant.orgId, encoded, 'x'), '{}', key()))).toMatchObject({ status: 400 })
  })
})

describe('a long URL', () => {
  const query = `?x=${'x'.repeat(8_200)}`

  test('answers 401 without a key and 414 with one', async () => {
    expect(expectError(await post(values() + query, '{}'))).toMatchObject({ status: 401 })
    const answer = expectError(await post(values() + query, '{}', key()))
    expect(answer).toMatchObject({ status: 414, code: 'URL_TOO_LONG' })
    expect(answer.message).toMatch(/^the URL has \d+ characters, the limit is 8192: /)
  })

  test('answers 414 on a route without a key, and 431 beyond the limit of Node', async () => {
    expect(expectError(await get(`/healthz${query}`))).toMatchObject({ status: 414 })
    expect(expectError(await get(`/${'x'.repeat(20_000)}`))).toMatchObject({ status: 431, code: 'HEADERS_TOO_LARGE' })
  })
})

describe('an odd body', () => {
  const REQ_ID = 'AAAAAAAA-bbbb-4ccc-8DDD-eeeeeeeeeeee'

  test.each([
    ['U+0000', String.raw`{"data":{"id":"a\u0000b"}}`, 'data.id'],
    ['U+0000 in a field name', String.raw`{"data":{"id":"a","x\u0000":1}}`, String.raw`data.x\u0000`],
    ['half a character', String.raw`{"data":{"id":"\ud800"}}`, 'data.id'],
    ['truncated JSON', '{"data":{"id":', 'body'],
    ['text that is not JSON', 'id=x', 'body'],
    ['nothing', '', 'body'],
    ['a list', '[]', 'body'],
    ['null', 'null', 'body'],
    ['a prototype', '{"__proto__":{}}', 'body'],
    ['no data', '{}', 'data'],
    ['data of another type', '{"data":{"id":5}}', 'data.id'],
    ['an invalid reqId', '{"reqId":"7","data":{"id":"x"}}', 'reqId'],
    ['deep nesting', '['.repeat(20_000), 'body'],
  ])('with %s answers 400 with the field', async (_what, body, field) => {
    expect(expectError(await post(values(), body))).toMatchObject({ status: 401 })
    expect(expectError(await post(values(), body, key()))).toMatchObject({ status: 400, code: 'INVALID', field })
  })

  test('with unstorable text is answered with its reqId unchanged', async () => {
    const answer = await post(values(), `{"reqId":"${REQ_ID}","data":{"id":"\\u0000"}}`, key())
    expect(JSON.parse(answer.text)).toMatchObject({ reqId: REQ_ID, field: 'data.id' })
  })

  test('with a very long unknown field is refused with the start of its name', async () => {
    const url = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/commissioning`
    const body = JSON.stringify({ technicalSystem: 'x', connections: [], ['n'.repeat(60_000)]: 1 })
    const answer = await send([`PUT ${url} HTTP/1.1`, ...HOST, ...jsonHeaders(body), operator()], body)
    expect(expectError(answer)).toMatchObject({ status: 400, field: `${'n'.repeat(100)}…` })
  })

  test.each([
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a list of types', 'application/json, text/plain'],
    ['an invalid type', '@@@'],
    ['an empty type', ''],
  ])('declared as %s answers 415', async (_what, type) => {
    const headers = [`POST ${values()} HTTP/1.1`, ...HOST, `Content-Type: ${type}`, 'Content-Length: 2', key()]
    expect(expectError(await send(headers, '{}'))).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  test('over the limit answers 413 and names the limit', async () => {
    const answer = expectError(await post(values(), `"${'x'.repeat(64 * 1024)}"`, key()))
    expect(answer).toMatchObject({ status: 413, code: 'TOO_LARGE' })
    expect(answer.message).toContain('65536 bytes')
  })
})

describe('unusual HTTP', () => {
  test.each<[string, number, () => readonly string[]]>([
    ['an unknown method', 400, () => [`FETCH ${values()} HTTP/1.1`, ...HOST, key()]],
    ['a method the route does not have', 404, () => [`PATCH ${values()} HTTP/1.1`, ...HOST, key()]],
    ['a method no route has', 404, () => [`PROPFIND / HTTP/1.1`, ...HOST]],
    ['TRACE', 404, () => ['TRACE / HTTP/1.1', ...HOST]],
    ['OPTIONS of everything', 404, () => ['OPTIONS * HTTP/1.1', ...HOST]],
    ['another version', 400, () => ['GET /healthz HTTP/9.9', ...HOST]],
    ['no Host', 400, () => ['GET /healthz HTTP/1.1', 'Connection: close']],
    ['a header without a name', 400, () => ['GET /healthz HTTP/1.1', ...HOST, ': x']],
    ['two lengths', 400, () => [`POST ${values()} HTTP/1.1`, ...HOST, 'Content-Length: 2', 'Content-Length: 3']],
    [
      'a length beside chunks',
      400,
      () => [`POST ${values()} HTTP/1.1`, ...HOST, 'Content-Length: 2', 'Transfer-Encoding: chunked'],
    ],
    ['a length that is not a number', 400, () => [`POST ${values()} HTTP/1.1`, ...HOST, 'Content-Length: two']],
    ['two keys', 401, () => [`POST ${values()} HTTP/1.1`, ...HOST, key(), key(), 'Content-Length: 0']],
    ['an expectation', 417, () => ['GET /healthz HTTP/1.1', ...HOST, 'Expect: a miracle']],
    ['large headers', 431, () => ['GET /healthz HTTP/1.1', ...HOST, `X: ${'x'.repeat(20_000)}`]],
    ['an unknown path', 404, () => ['GET /api/%1b%5b31mnothing HTTP/1.1', ...HOST]],
    ['a long unknown path', 404, () => [`GET /api/${'n'.repeat(7_000)} HTTP/1.1`, ...HOST]],
    ['a path out of the folder', 404, () => ['GET /assets/../../etc/passwd HTTP/1.1', ...HOST]],
  ])('with %s gets an error in the common format', async (_what, status, lines) => {
    expect(expectError(await send(lines()))).toMatchObject({ status })
  })
})

describe('every route', () => {
  const oddIds = { long: 'x'.repeat(3_000), NUL: '%00', escapes: '%1b%5b31m', bidi: '%e2%80%ae', slash: '..%2f..' }

  test.each(Object.entries(oddIds))('answers ids that are %s in the common format', async (_what, odd) => {
    for (const route of Object.keys(MATRIX)) {
      const [method, pattern = ''] = route.split(' ')
      const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
      const known: Record<string, string> = {
        orgId: tenant.orgId,
        propertyId: tenant.siteId,
        deviceId: tenant.deviceId,
      }
      for (const name of names) {
        const url = pattern.replaceAll(/:(\w+)/g, (_, each) => (each === name ? odd : (known[each] ?? 'x')))
        const headers = [`${method} ${url} HTTP/1.1`, ...HOST, ...admitted(route)]
        const hasBody = method !== 'GET' && method !== 'DELETE'
        const answer = await (hasBody ? send([...headers, ...jsonHeaders('{}')], '{}') : send(headers))
        if (answer.status < 400) continue
        expect(expectError(answer).status, `${route} with ${name}`).toBeLessThan(500)
        // Nothing has such an id, so the answer is that to an unknown one.
        if (odd === '%00' && name.endsWith('Id')) expect([401, 403, 404], `${route}: ${name}`).toContain(answer.status)
      }
    }
  })

  test('answers a query with U+0000 in the common format', async () => {
    for (const { method, url, schema } of cloud.routes) {
      if (method === 'HEAD') continue
      const names = Object.keys((schema?.querystring as { properties?: object } | undefined)?.properties ?? {})
      const known: Record<string, string> = {
        orgId: tenant.orgId,
        propertyId: tenant.siteId,
        deviceId: tenant.deviceId,
      }
      const path = url.replaceAll(/:(\w+)/g, (_, each) => known[each] ?? 'x')
      for (const name of names) {
        const answer = await send([`${[method].flat()[0]} ${path}?${name}=%00 HTTP/1.1`, ...HOST, operator()])
        if (answer.status >= 400) expect(expectError(answer).status, `${url} with ${name}`).toBeLessThan(500)
      }
    }
  })
})
