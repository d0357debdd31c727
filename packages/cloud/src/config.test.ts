import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

describe('the settings of the cloud', () => {
  test('have defaults that keep it on this machine', () => {
    expect(readConfig({})).toEqual({
      folder: resolve('.plantroom'),
      host: '127.0.0.1',
      port: 8080,
      mqttPort: 1883,
      publicUrl: undefined,
      tls: undefined,
      databaseUrl: undefined,
      mqttUrl: undefined,
      adminToken: undefined,
      replyTimeoutMs: 10_000,
      logLevel: 'info',
    })
  })

  test('are judged all at once, and the one error names each mistake', () => {
    const read = () =>
      readConfig({
        PLANTROOM_PORT: '99999',
        PLANTROOM_MQTT_PORT: '-1',
        PLANTROOM_REPLY_TIMEOUT_MS: 'soon',
        PLANTROOM_TLS_CERT: '/no/such/file',
        PLANTROOM_ADMIN_TOKEN: 'short',
        PLANTROOM_LOG_LEVEL: 'loud',
        PLANTROOM_PUBLIC_URL: 'plantroom',
        DATABASE_URL: 'mysql://here',
        MQTT_URL: 'http://here',
      })
    const names = [
      'PORT',
      'MQTT_PORT',
      'REPLY_TIMEOUT_MS',
      'TLS_CERT',
      'TLS_KEY',
      'ADMIN_TOKEN',
      'LOG_LEVEL',
      'PUBLIC_URL',
    ]
    for (const name of [...names.map((name) => `PLANTROOM_${name}`), 'DATABASE_URL', 'MQTT_URL']) {
      expect(read).toThrow(new RegExp(`^Bad configuration: .*${name}`))
    }
  })

  test('name a certificate that is none', () => {
    const file = join(temporaryFolder(), 'cert.pem')
    writeFileSync(file, 'no certificate')
    const read = () => readConfig({ PLANTROOM_TLS_CERT: file, PLANTROOM_TLS_KEY: file })
    expect(read).toThrow(/^Bad configuration: PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY: not a certificate with its key/)
  })

  test('never put a password into the error', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:secret@host/db' })).toThrow(/^(?!.*secret)/)
  })

  test('an empty one is as if it was not set, and a trailing slash of the public address goes', () => {
    const config = readConfig({
      PLANTROOM_PORT: '',
      DATABASE_URL: '',
      PLANTROOM_PUBLIC_URL: 'https://plantroom.example/',
    })
    expect([config.port, config.databaseUrl, config.publicUrl]).toEqual([8080, undefined, 'https://plantroom.example'])
  })
})
