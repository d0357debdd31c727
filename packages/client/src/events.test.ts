import { expect, test } from 'vitest'
import { readEvents } from './events.ts'
import { ApiError, UnreachableError } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

test('reads events however they are cut, and closes the stream when the reader stops', async () => {
  const closed = Promise.withResolvers<void>()
  const { url, requests } = await startServer((_received, response) => {
    response.on('close', () => closed.resolve())
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: last-known\ndata: {"age')
    response.write('Ms":5}\n\nevent: offline\ndata: {"message":"ö"}\n\nevent: state')
  })
  const found: unknown[] = []
  for await (const event of readEvents(url, '/live', { authorization: 'Bearer token' })) {
    found.push(event)
    if (event.name === 'offline') break
  }
  expect(found).toEqual([
    { name: 'last-known', data: { ageMs: 5 } },
    { name: 'offline', data: { message: 'ö' } },
  ])
  expect(requests[0]?.headers.authorization).toBe('Bearer token')
  await closed.promise
})

test('rejects with the answer of the service, or when there is none', async () => {
  const { url, stop } = await startServer((_received, response) => sendJson(response, 403, { message: 'not for you' }))
  const first = async () => (await readEvents(url, '/live', {}).next()).value
  await expect(first()).rejects.toEqual(new ApiError(403, { message: 'not for you' }))
  await stop()
  await expect(first()).rejects.toBeInstanceOf(UnreachableError)
})
