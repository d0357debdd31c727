import { describe, expect, test } from 'vitest'
import { createPacketReader, PACKET, publishPacket, readPublish } from './mqtt-packets.ts'

/** What a reader takes out of these chunks. */
function packetsIn(chunks: readonly Buffer[]) {
  const reader = createPacketReader()
  const found: { type: number; topic: string; text: string; id: number | undefined }[] = []
  for (const chunk of chunks) {
    reader.read(chunk, (type, flags, body) => {
      const { topic, payload, id } = readPublish(flags, body)
      found.push({ type, topic, text: payload.toString(), id })
    })
  }
  return found
}

const first = publishPacket('plantroom/dev_1/status', '{"online":true}', { id: 7, retain: true })
const second = publishPacket('plantroom/dev_1/reply', 'õ'.repeat(200))
const expected = [
  { type: PACKET.publish, topic: 'plantroom/dev_1/status', text: '{"online":true}', id: 7 },
  { type: PACKET.publish, topic: 'plantroom/dev_1/reply', text: 'õ'.repeat(200), id: undefined },
]

describe('a reader of packets', () => {
  test('finds packets that arrive together', () => {
    expect(packetsIn([Buffer.concat([first, second])])).toEqual(expected)
  })

  test('finds packets that arrive byte by byte', () => {
    expect(packetsIn([...Buffer.concat([first, second])].map((byte) => Buffer.from([byte])))).toEqual(expected)
  })

  test('keeps no part of a chunk that its owner uses again', () => {
    const reader = createPacketReader()
    const chunk = Buffer.from(first.subarray(0, 10))
    reader.read(chunk, () => {})
    chunk.fill(0)
    const topics: string[] = []
    reader.read(first.subarray(10), (_type, flags, body) => topics.push(readPublish(flags, body).topic))
    expect(topics).toEqual(['plantroom/dev_1/status'])
  })

  test.each([
    ['declares 200 MB', [0x30, 0x80, 0x80, 0x80, 0x64]],
    ['has a length of five bytes', [0x30, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ])('refuses a packet that %s', (_what, bytes) => {
    expect(() => packetsIn([Buffer.from(bytes)])).toThrow(/larger than any message/)
  })

  test('refuses a message that ends before its topic', () => {
    expect(() => packetsIn([Buffer.from([0x30, 3, 0, 9, 65])])).toThrow(/ends too early/)
  })
})
