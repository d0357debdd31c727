import { gunzipSync } from 'node:zlib'
import { createLog } from '@plantroom/base/log'
import { expect, test } from 'vitest'
import { createServer } from './server.ts'

const LARGE = { names: Array.from({ length: 200 }, (_, at) => `Supply temperature ${at}`) }

function server() {
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  app.get('/large', async () => LARGE)
  app.get('/small', async () => ({ name: 'Supply temperature' }))
  app.post('/large', async () => LARGE)
  return app
}

test.each(['gzip', 'deflate, gzip, br', 'br, gzip;q=0.5'])('a large reply is compressed for "%s"', async (accepted) => {
  const reply = await server().inject({ url: '/large', headers: { 'accept-encoding': accepted } })
  expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length))
  expect(reply.rawPayload.length).toBeLessThan(JSON.stringify(LARGE).length / 5)
  expect(JSON.parse(gunzipSync(reply.rawPayload).toString())).toEqual(LARGE)
})

test.each([undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  'a large reply is sent as it is for "%s"',
  async (accepted) => {
    const reply = await server().inject({
      url: '/large',
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    })
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect(reply.json()).toEqual(LARGE)
  },
)

test.each([
  ['GET', '/small'],
  ['POST', '/large'],
] as const)('the reply to %s %s is not compressed', async (method, url) => {
  const reply = await server().inject({ method, url, headers: { 'accept-encoding': 'gzip' } })
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-encoding']).toBeUndefined()
})
