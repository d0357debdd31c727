import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const ENOUGH = { PLANTROOM_DEVICE_ID: 'dev_1', PLANTROOM_DEVICE_SECRET: 'hunter2' }

describe('the settings of a device', () => {
  test('default to a cloud on the same machine when only id and secret are given', () => {
    expect(readConfig(ENOUGH)).toEqual({
      folder: join(process.cwd(), '.plantroom/edge'),
      mqttUrl: 'mqtt://127.0.0.1:1883',
      deviceId: 'dev_1',
      deviceSecret: 'hunter2',
      logLevel: 'info',
      logStyle: { format: 'auto', colours: true },
      metrics: undefined,
      quotas: { inAll: 10_000, perCaller: 1_000, daysAhead: 366 },
    })
  })

  test('come from the environment', () => {
    const env = {
      ...ENOUGH,
      PLANTROOM_DATA: '/var/lib/plantroom',
      MQTT_URL: 'mqtts://cloud.example:8883',
      PLANTROOM_LOG_LEVEL: 'debug',
      PLANTROOM_METRICS_PORT: '9100',
      PLANTROOM_METRICS_HOST: '0.0.0.0',
      PLANTROOM_MAX_OVERRIDES: '500',
      PLANTROOM_MAX_OVERRIDES_PER_CALLER: '50',
      PLANTROOM_MAX_DAYS_AHEAD: '7',
    }
    expect(readConfig(env)).toMatchObject({
      folder: '/var/lib/plantroom/edge',
      mqttUrl: 'mqtts://cloud.example:8883',
      logLevel: 'debug',
      metrics: { host: '0.0.0.0', port: 9100 },
      quotas: { inAll: 500, perCaller: 50, daysAhead: 7 },
    })
  })

  test.each([
    ['PLANTROOM_MAX_OVERRIDES', '0', 'from 1 to 10000'],
    ['PLANTROOM_MAX_OVERRIDES', '10001', 'from 1 to 10000'],
    ['PLANTROOM_MAX_OVERRIDES_PER_CALLER', '-1', 'from 1 to 10000'],
    ['PLANTROOM_MAX_DAYS_AHEAD', '1.5', 'from 1 to 3660'],
    ['PLANTROOM_MAX_DAYS_AHEAD', 'many', 'from 1 to 3660'],
  ])('reject %s=%s', (name, value, range) => {
    expect(() => readConfig({ ...ENOUGH, [name]: value })).toThrow(`${name}: ${value} is not a whole number ${range}`)
  })

  test('serve the metrics on localhost by default, and on any port with port 0', () => {
    expect(readConfig({ ...ENOUGH, PLANTROOM_METRICS_PORT: '0' }).metrics).toEqual({ host: '127.0.0.1', port: 0 })
    expect(readConfig({ ...ENOUGH, PLANTROOM_METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined()
  })

  test.each(['65536', '-1', '9100x', '0x10', '1e3', ' ', '99999999999'])('reject the metrics port %s', (port) => {
    expect(() => readConfig({ ...ENOUGH, PLANTROOM_METRICS_PORT: port })).toThrow(
      `PLANTROOM_METRICS_PORT: ${port} is not a port`,
    )
  })

  test('treat empty values as missing', () => {
    const env = { ...ENOUGH, PLANTROOM_DATA: '', MQTT_URL: '', PLANTROOM_LOG_LEVEL: '', PLANTROOM_METRICS_PORT: '' }
    expect(readConfig(env)).toEqual(readConfig(ENOUGH))
  })

  test('are rejected with all problems in one error, by name', () => {
    const env = {
      MQTT_URL: 'cloud.example',
      PLANTROOM_DEVICE_ID: 'dev/1',
      PLANTROOM_LOG_LEVEL: 'loud',
      PLANTROOM_METRICS_PORT: 'http',
      PLANTROOM_METRICS_HOST: 'all of them',
    }
    expect(() => readConfig(env)).toThrow(
      'Bad configuration: ' +
        'MQTT_URL: not an address that starts with mqtt:// or mqtts://; ' +
        'PLANTROOM_DEVICE_ID: dev/1 is not a device id; ' +
        'PLANTROOM_DEVICE_SECRET: missing (plantroom device add prints it); ' +
        'PLANTROOM_LOG_LEVEL: loud is not one of trace, debug, info, warn, error, fatal, silent; ' +
        'PLANTROOM_METRICS_HOST: all of them is not a host; ' +
        'PLANTROOM_METRICS_PORT: http is not a port',
    )
  })

  test.each(['http://cloud.example', 'mqtt', '127.0.0.1:1883', 'file:///etc/passwd'])('refuse the broker %s', (url) => {
    expect(() => readConfig({ ...ENOUGH, MQTT_URL: url })).toThrow(/^Bad configuration: MQTT_URL: /)
  })

  test.each(['mqtt://cloud.example:1883', 'ws://192.168.1.5/mqtt'])('reject %s, which is not encrypted', (url) => {
    expect(() => readConfig({ ...ENOUGH, MQTT_URL: url })).toThrow(
      `Bad configuration: MQTT_URL: ${url.replace('/mqtt', '')} sends credentials and setpoints unencrypted to another machine: use mqtts:// or wss://, or set PLANTROOM_ALLOW_PLAIN_MQTT=1 where you trust the network`,
    )
    expect(readConfig({ ...ENOUGH, MQTT_URL: url, PLANTROOM_ALLOW_PLAIN_MQTT: '1' }).mqttUrl).toBe(url)
  })

  test.each([
    'mqtt://localhost',
    'mqtt://127.0.0.53:1883',
    'mqtt://[::1]',
    'mqtts://cloud.example',
    'wss://cloud.example',
  ])('accept %s', (url) => {
    expect(readConfig({ ...ENOUGH, MQTT_URL: url }).mqttUrl).toBe(url)
  })

  test.each(['+', '#', 'dev 1', 'dev_1/status', 'dëv'])('reject the id %s, which is not a topic level', (id) => {
    expect(() => readConfig({ ...ENOUGH, PLANTROOM_DEVICE_ID: id })).toThrow('PLANTROOM_DEVICE_ID')
  })

  test('never show the secret in an error', () => {
    const env = { ...ENOUGH, PLANTROOM_LOG_LEVEL: 'loud' }
    expect(() => readConfig(env)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }))
  })
})
