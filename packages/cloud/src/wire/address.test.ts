import { createLog } from '@plantroom/base/log'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createServer } from '../platform/http/server.ts'
import { createBaseUrl, exposureWarnings, knownAddress, listen } from './address.ts'

function start(env: Record<string, string>) {
  const config = readConfig({ PLANTROOM_PORT: '0', ...env })
  const app = createServer({ tls: config.tls, log: createLog('test', 'silent') })
  onTestFinished(() => app.close())
  return { app, config, baseUrl: createBaseUrl(app, config) }
}

describe('the address of the service', () => {
  test('has the port the server listens on, and throws before', async () => {
    const { app, config, baseUrl } = start({})
    expect(baseUrl).toThrow('the server does not listen yet')
    const port = await listen(app, config)
    expect(baseUrl()).toBe(`http://127.0.0.1:${port}`)
  })

  test('stays known while the server closes, for requests in progress', async () => {
    const { app, config, baseUrl } = start({})
    const port = await listen(app, config)
    baseUrl()
    await app.close()
    expect(baseUrl()).toBe(`http://127.0.0.1:${port}`)
  })

  test('is the public address when one is configured', () => {
    expect(start({ PLANTROOM_PUBLIC_URL: 'https://plantroom.example' }).baseUrl()).toBe('https://plantroom.example')
  })

  test('is local when the server listens on all interfaces', async () => {
    const { app, config, baseUrl } = start({ PLANTROOM_HOST: '0.0.0.0' })
    const port = await listen(app, config)
    expect(baseUrl()).toBe(`http://127.0.0.1:${port}`)
  })
})

describe('the address of the service for other machines', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['the public one', { PLANTROOM_PUBLIC_URL: 'https://plantroom.example/' }, 'https://plantroom.example'],
    ['that of the settings', { PLANTROOM_HOST: '::1', PLANTROOM_PORT: '99' }, 'http://[::1]:99'],
    ['unknown on all interfaces', { PLANTROOM_HOST: '0.0.0.0' }, undefined],
    ['unknown while the system chooses the port', { PLANTROOM_PORT: '0' }, undefined],
  ])('is %s', (_what, env, address) => expect(knownAddress(readConfig(env))).toBe(address))

  test('is encrypted where the service has a certificate', () => {
    const tls = { cert: Buffer.of(), key: Buffer.of() }
    expect(knownAddress({ ...readConfig({}), tls })).toBe('https://127.0.0.1:8080')
  })
})

describe('the warnings about exposure', () => {
  test.each([
    ['a local address', {}, ['only this machine can reach the service']],
    ['another address without TLS', { PLANTROOM_HOST: '10.0.0.5' }, ['keys and passwords travel unencrypted']],
    [
      'all interfaces without a public address',
      { PLANTROOM_HOST: '0.0.0.0' },
      ['keys and passwords travel unencrypted', 'set PLANTROOM_PUBLIC_URL'],
    ],
    [
      'an unencrypted broker on another machine',
      { MQTT_URL: 'mqtt://broker.example', PLANTROOM_ALLOW_PLAIN_MQTT: '1' },
      ['only this machine can reach the service', 'MQTT_URL is not encrypted'],
    ],
  ])('name %s', (_what, env, warnings) => {
    expect(exposureWarnings(readConfig(env))).toEqual(warnings.map((text) => expect.stringContaining(text)))
  })
})
