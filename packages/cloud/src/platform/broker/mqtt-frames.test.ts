import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { eventually } from '@plantroom/testkit/eventually'
import fc from 'fast-check'
import { generate } from 'mqtt-packet'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFrameGuard, publishDirectly, publishFrame } from './mqtt-frames.ts'

const STRANGER_LIMIT = 4096
const PUBLISH = 0x30

/** Encodes a length for MQTT: seven bits per byte, lowest first. */
function lengthBytes(length: number): number[] {
  const bytes: number[] = []
  let rest = length
  do {
    bytes.push((rest % 128) + (rest >= 128 ? 0x80 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return bytes
}

const header = (length: number) => Buffer.from([PUBLISH, ...lengthBytes(length)])
const frame = (length: number) => Buffer.concat([header(length), Buffer.alloc(length)])

function split(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut))
}

/** How many bytes a guard accepts, chunk by chunk; Infinity for all of them. */
function refusedAt(chunks: readonly Buffer[], trusted?: number): number {
  const guard = createFrameGuard()
  if (trusted !== undefined) guard.trust(trusted)
  let seen = 0
  for (const chunk of chunks) {
    if (!guard.accepts(chunk)) return seen
    seen += chunk.length
  }
  return Number.POSITIVE_INFINITY
}

const accepted = (chunks: readonly Buffer[], trusted?: number) =>
  refusedAt(chunks, trusted) === Number.POSITIVE_INFINITY
const byteByByte = (bytes: Buffer) =>
  split(
    bytes,
    Array.from({ length: bytes.length }, (_, index) => index),
  )

/** Frames of every size, valid or not, and noise. */
const stream = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 300 }).map(frame) },
      { weight: 2, arbitrary: fc.integer({ min: STRANGER_LIMIT - 2, max: STRANGER_LIMIT + 2 }).map(frame) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 128 ** 4 - 1 }).map(header) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts))

describe('the frames of a stranger', () => {
  test.each([
    ['nothing', Buffer.alloc(0), true],
    ['an empty frame', frame(0), true],
    ['a frame of one byte', frame(1), true],
    ['the longest length of one byte', frame(127), true],
    ['the shortest length of two bytes', frame(128), true],
    ['a frame of exactly the limit', frame(STRANGER_LIMIT), true],
    [
      'many frames, each within the limit',
      Buffer.concat(Array.from({ length: 20 }, () => frame(STRANGER_LIMIT))),
      true,
    ],
    ['a length with more bytes than it needs', Buffer.from([PUBLISH, 0x81, 0x80, 0x00, 7]), true],
    ['one byte over the limit', header(STRANGER_LIMIT + 1), false],
    ['200 MB', header(200 * 1024 * 1024), false],
    ['the longest frame of MQTT', header(128 ** 4 - 1), false],
    ['an oversized frame behind a good one', Buffer.concat([frame(10), header(STRANGER_LIMIT + 1)]), false],
    ['a length of five bytes', Buffer.from([PUBLISH, 0x80, 0x80, 0x80, 0x80]), false],
  ])('are checked: %s', (_what, bytes, verdict) => {
    expect(accepted([bytes])).toBe(verdict)
    expect(accepted(byteByByte(bytes))).toBe(verdict)
  })

  test('are refused at the length byte that exceeds the limit, before any of the body', () => {
    // 4097 is 0x81 0x20: after the first byte it could still be a frame of one byte.
    expect(refusedAt(byteByByte(header(STRANGER_LIMIT + 1)))).toBe(2)
    expect(refusedAt(byteByByte(header(200 * 1024 * 1024)))).toBeLessThanOrEqual(4)
  })

  test('are refused at the fourth byte of an unfinished length', () => {
    expect(refusedAt(byteByByte(Buffer.from([PUBLISH, 0x80, 0x80, 0x80, 0x80, 0x01])))).toBe(4)
  })
})

describe('the frames of an authenticated device', () => {
  const limit = 1_000_000

  test('may have the trusted size and no more', () => {
    expect(accepted([frame(limit)], limit)).toBe(true)
    expect(accepted([header(limit + 1)], limit)).toBe(false)
  })

  test('use the new limit from the next frame on', () => {
    const guard = createFrameGuard()
    expect(guard.accepts(frame(100))).toBe(true)
    guard.trust(limit)
    expect(guard.accepts(frame(STRANGER_LIMIT + 1))).toBe(true)
  })
})

describe('any stream of bytes', () => {
  test('gets the same result however it is split into chunks', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (bytes, places) => {
        expect(accepted(split(bytes, places))).toBe(accepted([bytes]))
      }),
    )
  })

  test('is accepted exactly when all its frames are within the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: STRANGER_LIMIT * 2 }), { maxLength: 5 }), (lengths) => {
        const bytes = Buffer.concat(lengths.map(frame))
        expect(accepted([bytes])).toBe(lengths.every((length) => length <= STRANGER_LIMIT))
      }),
    )
  })
})

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

describe('a message written straight to a device', () => {
  test('leaves no deadline on a socket that stalled and drained', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const device = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void device.destroy())
    const [socket] = (await once(server, 'connection')) as [Socket]
    onTestFinished(() => void socket.destroy())
    await eventually(() => {
      publishDirectly(socket, 'a', Buffer.alloc(16 * 1024))
      expect(socket.timeout).toBeGreaterThan(0)
    })
    device.resume()
    await eventually(() => expect(socket.writableLength).toBe(0))
    expect([socket.timeout, socket.destroyed, socket.listenerCount('timeout')]).toEqual([0, false, 0])
  })
})
