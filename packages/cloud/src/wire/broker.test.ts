import { describe, expect, test } from 'vitest'
import type { DeviceLink } from '../control/devices/index.ts'
import type { DeviceBus } from '../platform/broker/index.ts'
import { createBrokerUrl, requireReachable } from './broker.ts'

const check = (problem: string | undefined, isComplete: boolean) => () =>
  requireReachable({ problem } as DeviceBus, { isComplete } as DeviceLink)

describe('the broker is ready', () => {
  test('once it is connected and every device has been looked at', () => {
    expect(check(undefined, true)).not.toThrow()
  })

  test.each([
    ['not connected', 'not connected', true],
    ['asking which devices are online', undefined, false],
  ])('not while %s', (message, problem, isComplete) => {
    expect(check(problem, isComplete)).toThrow(message)
  })
})

test.each([
  ['an embedded broker on the host of the page', { url: 'mqtt://127.0.0.1:1', port: 18 }, {}, 'mqtt://10.0.0.5:18'],
  [
    'an embedded broker with TLS',
    { url: '', port: 18 },
    { tls: { cert: Buffer.of(), key: Buffer.of() } },
    'mqtts://10.0.0.5:18',
  ],
  [
    'a public address',
    { url: '', port: 18 },
    { publicUrl: 'https://plantroom.example/x' },
    'mqtt://plantroom.example:18',
  ],
  ['a broker of its own', { url: 'mqtts://broker.example:8883', port: null }, {}, 'mqtts://broker.example:8883'],
])('a device connects to %s', (_what, broker, settings, url) => {
  expect(createBrokerUrl(broker, { publicUrl: undefined, tls: undefined, ...settings })('10.0.0.5')).toBe(url)
})
