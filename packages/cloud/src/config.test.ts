import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newAuditKey } from '@plantroom/base/audit-key'
import { CLOUD_SETTINGS, type Setting } from '@plantroom/contract/settings'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { findCloudSettings, readConfig } from './config.ts'

describe('the settings of the cloud in a file', () => {
  const find = async (yaml: string, env: Record<string, string> = {}) => {
    const file = join(temporaryFolder(), 'plantroom.yaml')
    writeFileSync(file, yaml)
    return findCloudSettings(file, env)
  }

  test('may be all there are, and go to job processes without the file', async () => {
    const places = Object.values<Setting>(CLOUD_SETTINGS).flatMap(({ place = [] }) => place)
    const tree: Record<string, unknown> = {}
    for (const place of places) {
      const keys = place.split('.')
      const last = keys.pop() ?? ''
      let room = tree
      for (const key of keys) {
        room[key] ??= {}
        room = room[key] as Record<string, unknown>
      }
      room[last] = null
    }
    const yaml = JSON.stringify({ ...tree, data: '/data', log_level: 'warn', edge: { device: { id: 'dev_1' } } })
    const found = await find(yaml, { OTHER: 'x' })
    expect(found.problems).toEqual([])
    const config = readConfig(found.values, found)
    expect(config).toMatchObject({ folder: '/data', logLevel: 'warn' })
    expect(config.environment).toEqual({
      ...{ OTHER: 'x', PLANTROOM_DATA: '/data', PLANTROOM_LOG_LEVEL: 'warn', PLANTROOM_CONFIG: 'none' },
    })
  })

  test('are checked as those of the environment, and a mistake names its line', async () => {
    const found = await find('cloud:\n  port: 99999\n  smtp: {url: http://hunter2@x}\n  oidc: {name: x}\n', {
      PLANTROOM_MQTT_PORT: '-1',
    })
    const { message } = (() => {
      try {
        return readConfig(found.values, found) && new Error('accepted')
      } catch (error) {
        return error as Error
      }
    })()
    expect(message.replaceAll(found.file ?? '', 'FILE')).toBe(
      'Bad configuration: FILE line 2, cloud.port: 99999 is not a whole number from 0 to 65535; ' +
        'PLANTROOM_MQTT_PORT: -1 is not a whole number from 0 to 65535; ' +
        'FILE line 3, cloud.smtp.url: not an address that starts with smtp:// or smtps:// and names a host; ' +
        'PLANTROOM_OIDC_ISSUER: missing, although other PLANTROOM_OIDC_ settings are present',
    )
  })
})

describe('the settings of the cloud', () => {
  test('default to this machine only', () => {
    expect(readConfig({})).toEqual({
      folder: resolve('.plantroom'),
      host: '127.0.0.1',
      port: 8080,
      mqttPort: 1883,
      publicUrl: undefined,
      tls: undefined,
      databaseUrl: undefined,
      listenUrl: undefined,
      mqttUrl: undefined,
      brokerAccounts: undefined,
      smtp: undefined,
      oidc: undefined,
      s3: undefined,
      adminToken: undefined,
      previousAdminToken: undefined,
      trustedProxies: [],
      webhookNetworks: [],
      replyTimeoutMs: 10_000,
      retryDelayS: 60,
      logLevel: 'info',
      logStyle: { format: 'auto', colours: true },
      traces: undefined,
      drainS: 0,
      limits: {
        unfinishedJobs: { perSite: 20, perOrganization: 100 },
        packagesPerOrganization: 10_000,
        packageBytesPerOrganization: 20e9,
        receivedBytesPerDay: 50e9,
        exportsKept: 3,
        mailsPerHour: 100,
        statementMs: 30_000,
        lockMs: 15_000,
        httpConnections: { total: 5_000, perAddress: 500 },
        brokerConnections: { total: 20_000, perAddress: 1_000 },
      },
      environment: {},
    })
  })

  test('are checked together, and one error lists every problem', () => {
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
        SMTP_URL: 'http://here',
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
    for (const name of [...names.map((name) => `PLANTROOM_${name}`), 'DATABASE_URL', 'MQTT_URL', 'SMTP_URL']) {
      expect(read).toThrow(new RegExp(`^Bad configuration: .*${name}`))
    }
  })

  test('accept the example of deploy/compose, once it is filled in', () => {
    const example = readFileSync(join(import.meta.dirname, '../../../deploy/compose/plantroom.env.example'), 'utf8')
    const settings = [...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const)
    const filledIn = settings.map(([name, value]) => [name, value || 'a secret of at least 32 characters'] as const)
    const env = { ...Object.fromEntries(filledIn), PLANTROOM_ACTIVITY_KEY: newAuditKey() }
    expect(readConfig(env)).toMatchObject({ brokerAccounts: { kind: 'mosquitto' }, trustedProxies: ['127.0.0.1'] })
  })

  test('say how accounts at the broker follow the devices', () => {
    const read = (PLANTROOM_BROKER_ACCOUNTS: string, MQTT_URL = 'mqtt://cloud:x@127.0.0.1') =>
      readConfig({ PLANTROOM_BROKER_ACCOUNTS, MQTT_URL }).brokerAccounts
    expect(read('mosquitto')).toEqual({ kind: 'mosquitto' })
    expect(read('file:/var/lib/plantroom/nats.conf')).toEqual({ kind: 'file', path: '/var/lib/plantroom/nats.conf' })
    for (const wrong of ['nats', 'file:', 'file:nats.conf', 'Mosquitto']) {
      expect(() => read(wrong)).toThrow(`PLANTROOM_BROKER_ACCOUNTS: ${wrong} is neither mosquitto nor file: with`)
    }
    expect(() => read('mosquitto', '')).toThrow(/PLANTROOM_BROKER_ACCOUNTS: set MQTT_URL, too/)
  })

  test('reject an unencrypted broker on another machine unless it is allowed', () => {
    const MQTT_URL = 'mqtt://cloud:hunter2@broker.example:1883'
    expect(() => readConfig({ MQTT_URL })).toThrow(
      /^Bad configuration: MQTT_URL: mqtt:\/\/broker\.example:1883 sends credentials and setpoints unencrypted /,
    )
    expect(readConfig({ MQTT_URL, PLANTROOM_ALLOW_PLAIN_MQTT: '1' }).mqttUrl).toBe(MQTT_URL)
    for (const url of ['mqtts://broker.example', 'mqtt://127.0.0.1:1883', 'ws://localhost/mqtt']) {
      expect(readConfig({ MQTT_URL: url }).mqttUrl).toBe(url)
    }
  })

  test('list proxies as addresses and networks', () => {
    const read = (text: string) => readConfig({ PLANTROOM_TRUSTED_PROXIES: text }).trustedProxies
    expect(read('10.0.0.2, 10.1.0.0/16 ::1,fd00::/8')).toEqual(['10.0.0.2', '10.1.0.0/16', '::1', 'fd00::/8'])
    for (const wrong of [
      'proxy.example',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0.0/8/8',
      '10.0.0',
      'true',
      '*',
      'fd00::/129',
    ]) {
      expect(() => read(`127.0.0.1,${wrong}`)).toThrow(`PLANTROOM_TRUSTED_PROXIES: ${wrong} is not an IP address`)
    }
  })

  test('accept a long admin token, and its predecessor while callers change over', () => {
    const token = 'x'.repeat(32)
    expect(() => readConfig({ PLANTROOM_ADMIN_TOKEN: token.slice(1) })).toThrow('shorter than 32 characters')
    expect(readConfig({ PLANTROOM_ADMIN_TOKEN: token, PLANTROOM_ADMIN_TOKEN_PREVIOUS: 'old' })).toMatchObject({
      adminToken: token,
      previousAdminToken: 'old',
    })
    expect(() => readConfig({ PLANTROOM_ADMIN_TOKEN_PREVIOUS: token })).toThrow('set PLANTROOM_ADMIN_TOKEN')
  })

  test('take a key and a sink for the activity log', () => {
    const key = newAuditKey()
    expect(readConfig({ PLANTROOM_ACTIVITY_KEY: key }).activityKey).toBe(key)
    expect(() => readConfig({ PLANTROOM_ACTIVITY_KEY: 'c2VjcmV0' })).toThrow(
      /PLANTROOM_ACTIVITY_KEY: not an (?!.*c2VjcmV0)/,
    )
    expect(readConfig({ PLANTROOM_ACTIVITY_SYSLOG: 'udp://127.0.0.1' }).activitySink).toBeDefined()
    expect(() => readConfig({ PLANTROOM_ACTIVITY_WEBHOOK: 'https://logs.example' })).toThrow('_WEBHOOK_SECRET')
  })

  test('reject an invalid certificate', () => {
    const file = join(temporaryFolder(), 'cert.pem')
    writeFileSync(file, 'not a certificate')
    const read = () => readConfig({ PLANTROOM_TLS_CERT: file, PLANTROOM_TLS_KEY: file })
    expect(read).toThrow(/^Bad configuration: PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY: not a certificate with its key/)
  })

  test.each(['0.0.0.0', '::'])('refuses to send mail from %s without a public address', (PLANTROOM_HOST) => {
    const env = { SMTP_URL: 'smtp://mail.example', PLANTROOM_HOST }
    expect(() => readConfig(env)).toThrow(/SMTP_URL: set PLANTROOM_PUBLIC_URL/)
    expect(readConfig({ ...env, PLANTROOM_PUBLIC_URL: 'https://plantroom.example' }).smtp).toBeDefined()
  })

  test('never appear in an error with their passwords', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://user:secret@host/db' })).toThrow(/^(?!.*secret)/)
    expect(() => readConfig({ SMTP_URL: 'http://user:secret@host' })).toThrow(/^(?!.*secret)/)
  })

  test('treat empty values as unset and trim the slash of the public address', () => {
    const config = readConfig({
      PLANTROOM_PORT: '',
      DATABASE_URL: '',
      PLANTROOM_PUBLIC_URL: 'https://plantroom.example/',
    })
    expect([config.port, config.databaseUrl, config.publicUrl]).toEqual([8080, undefined, 'https://plantroom.example'])
  })

  test('offer a folder for exports that exists', () => {
    const folder = temporaryFolder()
    expect(readConfig({ PLANTROOM_EXPORT_FOLDER: folder }).exportFolder).toBe(folder)
    expect(() => readConfig({ PLANTROOM_EXPORT_FOLDER: 'exports' })).toThrow('is not an absolute path')
    expect(() => readConfig({ PLANTROOM_EXPORT_FOLDER: join(folder, 'missing') })).toThrow('is not a folder; create it')
  })

  test('need only a bucket for S3', () => {
    expect(readConfig({ S3_BUCKET: 'files' }).s3).toEqual({
      bucket: 'files',
      region: 'us-east-1',
      endpoint: undefined,
      credentials: undefined,
    })
    const whole = readConfig({
      S3_BUCKET: 'files',
      S3_REGION: 'eu-north-1',
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    })
    expect(whole.s3).toEqual({
      bucket: 'files',
      region: 'eu-north-1',
      endpoint: 'http://127.0.0.1:9000',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    })
  })

  test.each([
    ['S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both or none', { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' }],
    ['S3_BUCKET: missing', { S3_ENDPOINT: 'http://127.0.0.1:9000' }],
    ['S3_ENDPOINT: not an address', { S3_BUCKET: 'files', S3_ENDPOINT: '127.0.0.1:9000' }],
  ])('reject incomplete S3 settings: %s', (problem, env) => {
    expect(() => readConfig(env)).toThrow(problem)
  })
})
