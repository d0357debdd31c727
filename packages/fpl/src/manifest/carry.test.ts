import { describe, expect, test } from 'vitest'
import { createCarry } from './carry.ts'

function createCountedCarry() {
  const allocated: number[] = []
  const carry = createCarry((size) => {
    allocated.push(size)
    return Buffer.alloc(size)
  })
  return { carry, allocated }
}

describe('the carry buffer', () => {
  test('contains the appended bytes in order', () => {
    const { carry } = createCountedCarry()
    carry.append(Buffer.from('xabx'), 1, 3)
    carry.append(Buffer.from('cd'), 0, 2)
    carry.truncate(3)
    carry.append(Buffer.from('e'), 0, 1)
    expect(carry.bytes.toString('utf8', 0, carry.length)).toBe('abce')
  })

  test('grows so rarely that each byte is copied about once more, however small the chunks', () => {
    const { carry, allocated } = createCountedCarry()
    const chunk = Buffer.from('0123456789')
    for (let count = 0; count < 1_000_000; count++) carry.append(chunk, 0, chunk.length)
    expect(carry.length).toBe(10_000_000)
    // The sum of all earlier buffer sizes bounds the bytes that were ever copied.
    const copied = allocated.slice(0, -1).reduce((sum, size) => sum + size, 0)
    expect(copied).toBeLessThan(2 * carry.length)
  })

  test('keeps a small buffer for the next element and frees a large one', () => {
    const { carry, allocated } = createCountedCarry()
    carry.append(Buffer.alloc(1000), 0, 1000)
    carry.clear()
    carry.append(Buffer.alloc(1000), 0, 1000)
    expect(allocated).toHaveLength(1)
    carry.append(Buffer.alloc(2_000_000), 0, 2_000_000)
    carry.clear()
    expect(carry.length).toBe(0)
    expect(carry.bytes).toHaveLength(0)
  })
})
