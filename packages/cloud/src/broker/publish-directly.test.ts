import fc from 'fast-check'
import { generate } from 'mqtt-packet'
import { describe, expect, test } from 'vitest'
import { publishFrame } from './publish-directly.ts'

describe('a publish frame', () => {
  test('equals the frame of the broker’s own codec', () => {
    const topic = fc.stringMatching(/^[A-Za-z0-9_/-]{1,300}$/)
    const payload = fc.uint8Array({ maxLength: 40_000 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(topic, payload, (topic, payload) => {
        const packet = { cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false } as const
        expect(publishFrame(topic, payload).equals(generate(packet))).toBe(true)
      }),
    )
  })

  test.each([0, 121, 122, 16_377, 16_378, 2_097_145, 2_097_146, 4_000_000])(
    'equals it for a payload of %i bytes, around the limits of the length field',
    (bytes) => {
      const payload = Buffer.alloc(bytes, 'x')
      const packet = { cmd: 'publish', topic: 'a/b/c', payload, qos: 0, dup: false, retain: false } as const
      expect(publishFrame('a/b/c', payload).equals(generate(packet))).toBe(true)
    },
  )
})
