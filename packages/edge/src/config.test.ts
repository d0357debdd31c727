import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const ENOUGH = { PLANTROOM_DEVICE_ID: 'dev_1', PLANTROOM_DEVICE_SECRET: 'hunter2' }

describe('the settings of a device', () => {
  test('are those of a device on the same machine as its cloud where only id and secret are given', () => {
    expect(readConfig(ENOUGH)).toEqual({
      folder: join(process.cwd(), '.plantroom/edge'),
      mqttUrl: 'mqtt://127.0.0.1:1883',
      deviceId: 'dev_1',
      deviceSecret: 'hunter2',
      logLevel: 'info',
    })
  })

  test('are taken from the environment', () => {
    const env = {
      ...ENOUGH,
      PLANTROOM_DATA: '/var/lib/plantroom',
      MQTT_URL: 'mqtts://cloud.example:8883',
      PLANTROOM_LOG_LEVEL: 'debug',
    }
    expect(readConfig(env)).toMatchObject({
      folder: '/var/lib/plantroom/edge',
      mqttUrl: 'mqtts://cloud.example:8883',
      logLevel: 'debug',
    })
  })

  test('that are empty count as not given', () => {
    const env = { ...ENOUGH, PLANTROOM_DATA: '', MQTT_URL: '', PLANTROOM_LOG_LEVEL: '' }
    expect(readConfig(env)).toEqual(readConfig(ENOUGH))
  })

  test('are complained of all at once, by name', () => {
    const env = { MQTT_URL: 'cloud.example', PLANTROOM_DEVICE_ID: 'dev/1', PLANTROOM_LOG_LEVEL: 'loud' }
    expect(() => readConfig(env)).toThrow(
      'Bad configuration: ' +
        'MQTT_URL: cloud.example is not an address that starts with mqtt:// or mqtts://; ' +
        'PLANTROOM_DEVICE_ID: dev/1 is not an id of a device; ' +
        'PLANTROOM_DEVICE_SECRET: missing (plantroom device add prints it); ' +
        'PLANTROOM_LOG_LEVEL: loud is not one of trace, debug, info, warn, error, fatal, silent',
    )
  })

  test.each(['http://cloud.example', 'mqtt', '127.0.0.1:1883', 'file:///etc/passwd'])('refuse the broker %s', (url) => {
    expect(() => readConfig({ ...ENOUGH, MQTT_URL: url })).toThrow(/^Bad configuration: MQTT_URL: /)
  })

  test.each(['+', '#', 'dev 1', 'dev_1/status', 'dëv'])('refuse the id %s, which is no level of a topic', (id) => {
    expect(() => readConfig({ ...ENOUGH, PLANTROOM_DEVICE_ID: id })).toThrow('PLANTROOM_DEVICE_ID')
  })

  test('are not complained of with the secret in the message', () => {
    const env = { ...ENOUGH, PLANTROOM_LOG_LEVEL: 'loud' }
    expect(() => readConfig(env)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }))
  })
})
