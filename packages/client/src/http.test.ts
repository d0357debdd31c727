import { describe, expect, test } from 'vitest'
import { ApiError, createSend } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

/** Sends a request to a server that replies with this status and text. */
async function requestWithReply(status: number, text: string) {
  const { url } = await startServer((_received, response) => response.writeHead(status).end(text))
  return createSend(url, {})('GET', '/api')
}

describe('a request', () => {
  test('has the method, path, headers and a JSON body', async () => {
    const { url, requests } = await startServer((_received, response) => sendJson(response, 201, { id: 'org_1' }))
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

  test('without a body has no content type', async () => {
    const { url, requests } = await startServer((_received, response) => sendJson(response, 200, {}))
    await createSend(url, {})('DELETE', '/api/orgs/o/devices/d')
    expect(requests[0]?.headers).not.toHaveProperty('content-type')
    expect(requests[0]?.body).toBe('')
  })

  test('returns undefined for an empty reply', async () => {
    expect(await requestWithReply(204, '')).toBeUndefined()
  })
})

describe('an error reply', () => {
  test('is an ApiError with the fields of the service', async () => {
    const body = { message: 'data.value: must be a number', code: 'INVALID', reqId: 'r1', field: 'data.value' }
    const { url } = await startServer((_received, response) => sendJson(response, 400, body))
    const error = await createSend(url, {})('GET', '/').catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ name: 'ApiError', status: 400, ...body })
  })

  test('has no value for fields that the service left out', async () => {
    const { url } = await startServer((_received, response) =>
      sendJson(response, 403, { message: 'no', code: 'FORBIDDEN' }),
    )
    await expect(createSend(url, {})('GET', '/')).rejects.toMatchObject({ reqId: undefined, field: undefined })
  })

  test.each([
    ['is empty', '', 'the service answered 502'],
    ['is the page of a proxy', '<html>Bad gateway</html>', 'the answer is not JSON: <html>Bad gateway</html>'],
    ['is JSON but not an object', '"gone"', 'the service answered 502'],
    ['is null', 'null', 'the service answered 502'],
  ])('is an ApiError with an unknown code when the body %s', async (_body, text, message) => {
    await expect(requestWithReply(502, text)).rejects.toMatchObject({ status: 502, code: 'UNKNOWN', message })
  })

  test('shows only the beginning of a long page', async () => {
    const error: Error = await requestWithReply(500, 'x'.repeat(1_000_000)).then(
      () => expect.unreachable(),
      (caught) => caught,
    )
    expect(error.message.length).toBeLessThan(200)
  })
})

describe('a service that is not reachable', () => {
  test('is reported with its address, the reason and what to check', async () => {
    const { url, stop } = await startServer(() => {})
    await stop()
    await expect(createSend(url, {})('GET', '/api')).rejects.toThrow(
      `${url} cannot be reached (ECONNREFUSED): is Plantroom running there?`,
    )
  })

  test('is reported for an invalid address', async () => {
    await expect(createSend('plantroom.example', {})('GET', '/api')).rejects.toThrow(
      'plantroom.example cannot be reached (ERR_INVALID_URL)',
    )
  })

  test('is reported if it closes the connection before it replies', async () => {
    const { url } = await startServer((_received, response) => response.destroy())
    await expect(createSend(url, {})('GET', '/api')).rejects.toThrow(`${url} cannot be reached (UND_ERR_SOCKET)`)
  })

  test('is reported if it closes the connection in the middle of the reply', async () => {
    const { url } = await startServer((_received, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{')
      setImmediate(() => response.destroy())
    })
    await expect(createSend(url, {})('GET', '/api')).rejects.toThrow(`${url} cannot be reached`)
  })
})

describe('a successful reply that is not JSON', () => {
  test('is an error with the beginning of its text', async () => {
    await expect(requestWithReply(200, '<html>Please sign in</html>')).rejects.toThrow(
      'the answer is not JSON: <html>Please sign in</html>',
    )
  })
})
