import { describe, expect, test } from 'vitest'
import { ApiError, createSend } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

/** Sends one request to a server that answers with this status and text. */
async function answered(status: number, text: string) {
  const { url } = await startServer((_asked, response) => response.writeHead(status).end(text))
  return createSend(url, {})('GET', '/api')
}

describe('a request', () => {
  test('carries method, path, headers and its body as JSON', async () => {
    const { url, requests } = await startServer((_asked, response) => sendJson(response, 201, { id: 'org_1' }))
    const send = createSend(url, { authorization: 'Bearer t' })
    expect(await send('POST', '/api/orgs?x=1', { name: 'Küche' })).toEqual({ id: 'org_1' })
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/orgs?x=1',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
        body: '{"name":"Küche"}',
      },
    ])
  })

  test('without a body says nothing about the type of one', async () => {
    const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, {}))
    await createSend(url, {})('DELETE', '/api/orgs/o/devices/d')
    expect(requests[0]?.headers).not.toHaveProperty('content-type')
    expect(requests[0]?.body).toBe('')
  })

  test('that is answered with nothing gives nothing', async () => {
    expect(await answered(204, '')).toBeUndefined()
  })
})

describe('an answer other than success', () => {
  test('is an ApiError with what the service said', async () => {
    const body = { message: 'data.value: must be a number', code: 'INVALID', reqId: 'r1', field: 'data.value' }
    const { url } = await startServer((_asked, response) => sendJson(response, 400, body))
    const error = await createSend(url, {})('GET', '/').catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ name: 'ApiError', status: 400, ...body })
  })

  test('is one without the fields that the service left out', async () => {
    const { url } = await startServer((_asked, response) =>
      sendJson(response, 403, { message: 'no', code: 'FORBIDDEN' }),
    )
    await expect(createSend(url, {})('GET', '/')).rejects.toMatchObject({ reqId: undefined, field: undefined })
  })

  test.each([
    ['is empty', '', 'the service answered 502'],
    ['is a page of a proxy', '<html>Bad gateway</html>', 'the answer is not JSON: <html>Bad gateway</html>'],
    ['is JSON, but no object', '"gone"', 'the service answered 502'],
    ['is JSON, but null', 'null', 'the service answered 502'],
  ])('is an ApiError of unknown code when it %s', async (_what, text, message) => {
    await expect(answered(502, text)).rejects.toMatchObject({ status: 502, code: 'UNKNOWN', message })
  })

  test('shows no more than the beginning of a long page', async () => {
    const error: Error = await answered(500, 'x'.repeat(1_000_000)).then(
      () => expect.unreachable(),
      (caught) => caught,
    )
    expect(error.message.length).toBeLessThan(200)
  })
})

describe('a service that does not answer', () => {
  test('is said not to be there, by its address, with the reason and what to look at', async () => {
    const { url, stop } = await startServer(() => {})
    await stop()
    await expect(createSend(url, {})('GET', '/api')).rejects.toThrow(
      `${url} cannot be reached (ECONNREFUSED): is Plantroom running there?`,
    )
  })

  test('at an address that is none is said not to be reachable', async () => {
    await expect(createSend('plantroom.example', {})('GET', '/api')).rejects.toThrow(
      'plantroom.example cannot be reached (ERR_INVALID_URL)',
    )
  })

  test('after it took the request is said not to be reachable', async () => {
    const { url } = await startServer((_asked, response) => response.destroy())
    await expect(createSend(url, {})('GET', '/api')).rejects.toThrow(`${url} cannot be reached (UND_ERR_SOCKET)`)
  })

  // Known to fail: the message is "terminated".
  test('to the end is said not to be reachable', async () => {
    const { url } = await startServer((_asked, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{')
      setImmediate(() => response.destroy())
    })
    await expect(createSend(url, {})('GET', '/api')).rejects.toThrow(`${url} cannot be reached`)
  })
})

describe('a success that is not JSON', () => {
  // Known to fail: the page of a proxy is taken for an answer, and its fields for undefined.
  test('is an error that says so', async () => {
    await expect(answered(200, '<html>Please sign in</html>')).rejects.toThrow(
      'the answer is not JSON: <html>Please sign in</html>',
    )
  })
})
