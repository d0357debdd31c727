import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import type { BusReceiver, DeviceBus } from '../../platform/broker/index.ts'
import { connectDevices } from './device-link.ts'
import { newestMessages } from './newest-messages.ts'

function start() {
  const clock = createManualClock(0)
  const read: string[] = []
  const messages = newestMessages(clock, { receive: (device, payload) => read.push(`${device} ${payload}`) })
  const send = (device: string, ...texts: string[]) => {
    for (const text of texts) messages.receive(device, Buffer.from(text))
  }
  return { clock, read, send, messages }
}

test('a device that sends many messages has one of them read in a second, the newest', async () => {
  const { clock, read, send } = start()
  send('greedy', '1', '2', '3')
  send('honest', '1')
  expect(read).toEqual(['greedy 1', 'honest 1'])
  await clock.advance(1_000)
  send('greedy', '4', '5')
  expect(read.slice(2)).toEqual(['greedy 3'])
  await clock.advance(1_000)
  expect(read.slice(3)).toEqual(['greedy 5'])
})

test('a device that sends one message in each look has all of them read when they arrive', async () => {
  const { clock, read, send } = start()
  for (const text of ['1', '2', '3']) {
    send('honest', text)
    expect(read.at(-1)).toBe(`honest ${text}`)
    await clock.advance(5_000)
  }
  expect(read).toHaveLength(3)
})

test('what waits takes a bounded amount of memory, and a newer message of the same size still counts', async () => {
  const { clock, read, messages } = start()
  const large = (digit: number) => Buffer.alloc(2 * 1024 * 1024, String(digit))
  for (const device of ['a', 'b', 'c']) for (const digit of [1, 2, 3]) messages.receive(device, large(digit))
  await clock.advance(1_000)
  expect(read.map((text) => text.slice(0, 3))).toEqual(['a 1', 'b 1', 'c 1', 'a 3', 'b 3'])
})

test('what waits is read at the end, and nothing later', async () => {
  const { clock, read, send, messages } = start()
  send('a', '1', '2')
  messages.close()
  await clock.advance(2_000)
  expect(read).toEqual(['a 1', 'a 2'])
})

test('the state and the health of a controller are read so, and nothing else that it sends', async () => {
  const clock = createManualClock(0)
  const read: string[] = []
  let bus: BusReceiver | undefined
  const nothing = async () => {}
  const receive: DeviceBus['receive'] = (receiver) => {
    bus = receiver
  }
  const count = (kind: string) => ({ receive: () => void read.push(kind) })
  const link = connectDevices({
    bus: { connected: true, problem: undefined, send() {}, receive, leave: nothing, close: nothing },
    devices: { get: (id) => ({ id }), ids: () => ['dev_a'], subscribe: () => () => {} },
    receivers: {
      reports: count('reports'),
      measurements: count('measurements'),
      broadcast: count('broadcast'),
      health: count('health'),
      state: count('state'),
    },
    clock,
    log: createLog('test', 'silent'),
    cloudId: 'cloud_1',
    replyTimeoutMs: 1_000,
  })
  for (const kind of ['state', 'health', 'broadcast', 'measurements', 'reports'] as const) {
    for (const text of ['1', '2', '3']) bus?.message(topics[kind]('dev_a'), Buffer.from(text))
  }
  link.close()
  const times = (kind: string) => read.filter((one) => one === kind).length
  expect(['state', 'health', 'broadcast', 'measurements', 'reports'].map(times)).toEqual([2, 2, 3, 3, 3])
})
