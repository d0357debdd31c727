import { describe, expect, test } from 'vitest'
import { createGrowingBuffer } from './growing-buffer.ts'

function createCountedBuffer() {
  const allocated: number[] = []
  const buffer = createGrowingBuffer((size) => {
    allocated.push(size)
    return Buffer.alloc(size)
  })
  return { buffer, allocated }
}

describe('the growing buffer', () => {
  test('contains the appended bytes in order', () => {
    const { buffer } = createCountedBuffer()
    buffer.append(Buffer.from('xabx'), 1, 3)
    buffer.append(Buffer.from('cd'), 0, 2)
    buffer.truncate(3)
    buffer.append(Buffer.from('e'), 0, 1)
    expect(buffer.bytes.toString('utf8', 0, buffer.length)).toBe('abce')
  })

  test('grows so rarely that each byte is copied about once more, however small the chunks', () => {
    const { buffer, allocated } = createCountedBuffer()
    const chunk = Buffer.from('0123456789')
    for (let count = 0; count < 1_000_000; count++) buffer.append(chunk, 0, chunk.length)
    expect(buffer.length).toBe(10_000_000)
    // The sum of all earlier buffer sizes bounds the bytes that were ever copied.
    const copied = allocated.slice(0, -1).reduce((sum, size) => sum + size, 0)
    expect(copied).toBeLessThan(2 * buffer.length)
  })

  test('keeps a small buffer for the next element and frees a large one', () => {
    const { buffer, allocated } = createCountedBuffer()
    buffer.append(Buffer.alloc(1000), 0, 1000)
    buffer.clear()
    buffer.append(Buffer.alloc(1000), 0, 1000)
    expect(allocated).toHaveLength(1)
    buffer.append(Buffer.alloc(2_000_000), 0, 2_000_000)
    buffer.clear()
    expect(buffer.length).toBe(0)
    expect(buffer.bytes).toHaveLength(0)
  })
})
