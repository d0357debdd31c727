import { describe, expect, test } from 'vitest'
import { brokerAddress, isPlainToAnotherMachine, plainBrokerProblem } from './broker-url.ts'

describe('a broker', () => {
  test.each([
    'mqtt://127.0.0.1:1883',
    'mqtt://127.8.9.10',
    'mqtt://localhost:1883',
    'mqtt://LOCALHOST',
    'mqtt://[::1]:1883',
    'mqtt://[0:0:0:0:0:0:0:1]:1883',
    'ws://127.0.0.1:9001/mqtt',
    'ws://user:password@localhost/mqtt',
    'mqtts://cloud.example:8883',
    'wss://cloud.example/mqtt',
  ])('at %s is on this machine or reached by TLS', (url) => {
    expect(isPlainToAnotherMachine(url)).toBe(false)
  })

  test.each([
    'mqtt://cloud.example:1883',
    'ws://cloud.example/mqtt',
    'mqtt://192.168.1.5',
    'mqtt://0.0.0.0',
    'mqtt://127.0.0.1.example',
    'mqtt://127.example.com.1',
    'mqtt://localhost.example',
    'mqtt://[fe80::1]',
    'mqtt://127.0.0.1@cloud.example',
  ])('at %s is reached unencrypted', (url) => {
    expect(isPlainToAnotherMachine(url)).toBe(true)
  })

  test('is refused without repeating its password', () => {
    expect(plainBrokerProblem('mqtt://cloud:hunter2@broker.example:1883')).toBe(
      'mqtt://broker.example:1883 sends credentials and setpoints unencrypted to another machine: use mqtts:// or wss://, or set PLANTROOM_ALLOW_PLAIN_MQTT=1 where you trust the network',
    )
  })
})

test.each([
  ['mqtt://127.0.0.1', { protocol: 'mqtt', host: '127.0.0.1', path: '/' }],
  ['mqtts://broker.example:8883', { protocol: 'mqtts', host: 'broker.example', port: 8883, path: '/' }],
  [
    'mqtt://me%40x:p%2Fss%25@[::1]:1883',
    { protocol: 'mqtt', host: '::1', port: 1883, username: 'me@x', password: 'p/ss%', path: '/' },
  ],
  ['mqtt://me:100%@h', { protocol: 'mqtt', host: 'h', username: 'me', password: '100%', path: '/' }],
  ['wss://h/mqtt?a=b', { protocol: 'wss', host: 'h', path: '/mqtt?a=b' }],
])('a client reads %s', (url, address) => {
  expect(brokerAddress(url)).toEqual(address)
})
