import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_PAYLOAD } from './codec.ts'
import { createPayloadLimit, MAX_BODY } from './payload-limit.ts'

const PUBLISH = 0x32

function frame(type: number, body: Uint8Array): Buffer {
  const digits: number[] = []
  let rest = body.length
  do {
    digits.push((rest % 128) + (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.concat([Uint8Array.of(type, ...digits), body])
}

const message = (length: number, fill = 'x') =>
  Buffer.concat([Buffer.from('\0\x01t\0\x07'), Buffer.alloc(length, fill)])

/** Passes the bytes through the limit in chunks of this size. */
function passed(all: Uint8Array, chunkSize = 65_536): Buffer {
  const limit = createPayloadLimit()
  const parts: Uint8Array[] = []
  for (let at = 0; at < all.length; at += chunkSize) parts.push(...limit(all.subarray(at, at + chunkSize)))
  return Buffer.concat(parts)
}

describe('frames', () => {
  test('within the limit pass unchanged, however they are split', () => {
    const frames = fc.array(
      fc.record({ type: fc.constantFrom(0x20, PUBLISH, 0x40, 0xd0), length: fc.nat(40_000), fill: fc.nat(255) }),
    )
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 5000 }), (about, chunkSize) => {
        const all = Buffer.concat(about.map(({ type, length, fill }) => frame(type, Buffer.alloc(length, fill))))
        expect(passed(all, chunkSize).equals(all)).toBe(true)
      }),
      cases(20),
    )
    const longest = frame(PUBLISH, message(MAX_BODY - 5))
    expect(passed(longest).equals(longest)).toBe(true)
  })

  test('with a message over the limit are truncated, and stay over the limit', () => {
    const next = frame(0xd0, Buffer.alloc(0))
    const rest = passed(Buffer.concat([frame(PUBLISH, message(5_000_000)), next]), 1000)
    const cut = frame(PUBLISH, message(MAX_BODY - 5))
    expect(rest.equals(Buffer.concat([cut, next]))).toBe(true)
    expect(MAX_BODY - 2 - 65_535 - 2).toBeGreaterThan(MAX_PAYLOAD)
  })

  test('over the limit that are not a message are rejected before they have arrived', () => {
    expect(() => createPayloadLimit()(Uint8Array.of(0x90, 0xff, 0xff, 0xff, 0x7f))).toThrow(
      'it sent a frame of 268435455 bytes that is not a message',
    )
  })

  test('without a length are rejected', () => {
    expect(() => createPayloadLimit()(Uint8Array.of(PUBLISH, 0xff, 0xff, 0xff, 0xff))).toThrow(
      'check that it is an MQTT broker',
    )
  })
})
