import { hostname } from 'node:os'
import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { createHostCheck } from './own-host.ts'
import { createServer } from './server.ts'

const isOwnHost = createHostCheck({ publicUrl: 'https://plantroom.example.com/console', host: '127.0.0.1' })

describe('the Host header', () => {
  test.each([
    'plantroom.example.com',
    'PLANTROOM.example.com:8443',
    'localhost:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    '192.168.1.20',
    hostname(),
  ])('may be %s', (host) => expect(isOwnHost(host)).toBe(true))

  test.each([
    'evil.example',
    'plantroom.example.com.evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example@127.0.0.1',
    '127.0.0.1/evil.example',
    '',
    ' ',
    ':8080',
  ])('may not be "%s"', (host) => expect(isOwnHost(host)).toBe(false))

  test('of another site answers 421, except to monitors and to callers with a valid key or token', async () => {
    const app = createServer({ tls: undefined, log: createLog('test', 'silent'), isOwnHost })
    app.addHook('onRequest', async (request) => {
      const { authorization, 'x-api-key': key } = request.headers
      request.hasValidKey = key === 'valid' || authorization === 'Bearer valid'
    })
    for (const path of ['/healthz', '/api/session', '/metrics']) app.get(path, async () => ({}))
    const ask = async (url: string, headers: Record<string, string> = {}) =>
      app.inject({ url, headers: { host: 'evil.example', ...headers } })
    const refused = await ask('/api/session')
    expect([refused.statusCode, refused.json().code]).toEqual([421, 'MISDIRECTED'])
    expect(refused.json().message).toContain('PLANTROOM_PUBLIC_URL')
    expect((await ask('/nowhere')).statusCode).toBe(421)
    for (const headers of [{ 'x-api-key': 'x' }, { authorization: 'Bearer x' }]) {
      for (const path of ['/api/session', '/nowhere']) expect((await ask(path, headers)).statusCode).toBe(421)
    }
    for (const headers of [{ 'x-api-key': 'valid' }, { authorization: 'Bearer valid' }, { host: 'localhost' }]) {
      expect((await ask('/api/session', headers)).statusCode).toBe(200)
    }
    expect((await ask('/healthz?a=b')).statusCode).toBe(200)
    expect((await ask('/metrics')).statusCode).toBe(200)
  })
})
