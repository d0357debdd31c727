import { describe, expect, test } from 'vitest'
import { createBroadcasts } from './broadcasts.ts'

const value = { value: 21.5, timestamp: '2026-01-31T12:00:00.000Z', locked: true, lockedBy: 'demand-response' }

function follow(deviceId: string) {
  const broadcasts = createBroadcasts()
  const heard: string[] = []
  const end = broadcasts.follow(deviceId, (broadcast) => void heard.push(broadcast))
  const send = (from: string, text: string) => broadcasts.receive(from, Buffer.from(text))
  return { broadcasts, heard, end, send }
}

describe('a broadcast', () => {
  test('reaches only followers of its device', () => {
    const { heard, send } = follow('dev_1')
    send('dev_1', JSON.stringify({ values: { dp_1: value } }))
    send('dev_2', JSON.stringify({ values: { dp_2: value } }))
    expect(heard.map((text) => JSON.parse(text))).toEqual([{ values: { dp_1: value } }])
  })

  test('reaches all followers until they unsubscribe', () => {
    const { broadcasts, heard, end, send } = follow('dev_1')
    let others = 0
    broadcasts.follow('dev_1', () => {
      others += 1
    })
    send('dev_1', '{"values":{}}')
    end()
    end()
    send('dev_1', '{"values":{}}')
    expect([heard.length, others]).toEqual([1, 2])
  })

  test('is sent as one line, because a line break could start another event', () => {
    const { heard, send } = follow('dev_1')
    send('dev_1', '{\r\n"values"\n:\n{"dp\\n\\ndata: 1":{"value":null,\n"timestamp":"t"}},"more":1}')
    expect(heard).toEqual(['{"values":{"dp\\n\\ndata: 1":{"value":null,"timestamp":"t"}}}'])
  })

  test.each([
    ['not JSON', '{"values":'],
    ['null', 'null'],
    ['without values', '{}'],
    ['with values that are a list', '{"values":[]}'],
    ['with an invalid value', '{"values":{"dp":5}}'],
    ['with a value that is text', '{"values":{"dp":{"value":"5","timestamp":"t"}}}'],
    ['with a value that is not finite', '{"values":{"dp":{"value":1e400,"timestamp":"t"}}}'],
    ['with a value without a time', '{"values":{"dp":{"value":5}}}'],
    ['too large', JSON.stringify({ values: { dp: { ...value, error: 'x'.repeat(1024 * 1024) } } })],
  ])('that is %s is dropped', (_what, text) => {
    const { heard, send } = follow('dev_1')
    send('dev_1', text)
    expect(heard).toEqual([])
  })
})
