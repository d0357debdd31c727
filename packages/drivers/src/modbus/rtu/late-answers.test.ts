import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import type { ReadRequest, WriteRequest } from '../frame.ts'
import { sealed } from './frame.ts'
import { LateAnswers } from './late-answers.ts'

const read = (count: number, address = 10): ReadRequest => ({ functionCode: 3, address, count })
const write: WriteRequest = { functionCode: 6, address: 10, count: 1, payload: Uint8Array.of(0, 7) }
const frame = (...bytes: number[]) => sealed(Buffer.from([...bytes, 0, 0]))

function start() {
  const clock = createManualClock()
  return { clock, late: new LateAnswers(clock) }
}

describe('a request without an answer', () => {
  test('makes answers of the same unit, function and size ambiguous, and no others', () => {
    const { late } = start()
    late.missed(1, read(2))
    expect(late.isAmbiguous(1, read(2, 500))).toBe(true)
    expect(late.isAmbiguous(1, read(3))).toBe(false)
    expect(late.isAmbiguous(2, read(2))).toBe(false)
    expect(late.isAmbiguous(1, { ...read(2), functionCode: 4 })).toBe(false)
    expect(late.isAmbiguous(1, write)).toBe(false)
  })

  test('makes every exception of its function ambiguous', () => {
    const { late } = start()
    late.missed(1, read(2))
    expect(late.isAmbiguous(1, read(3), true)).toBe(true)
    expect(late.isAmbiguous(1, write, true)).toBe(false)
  })

  test('is forgotten when the unit answers a later one, and after ten seconds', () => {
    const { late, clock } = start()
    for (const unit of [1, 2]) late.missed(unit, read(2))
    late.settled(1)
    expect([1, 2].map((unit) => late.isAmbiguous(unit, read(2)))).toEqual([false, true])
    clock.advanceNow(10_001)
    expect(late.isAmbiguous(2, read(2))).toBe(false)
  })

  test('is in doubt for ten seconds in all, however many ambiguous answers come', () => {
    const { late, clock } = start()
    late.missed(1, read(2))
    for (let second = 0; second < 10; second += 1) {
      late.answeredOneOf(1, read(2))
      clock.advanceNow(1000)
    }
    expect(late.isAmbiguous(1, read(2))).toBe(true)
    clock.advanceNow(1)
    expect(late.isAmbiguous(1, read(2))).toBe(false)
  })
})

describe('a read that tells late answers apart', () => {
  test('reads a part of the same range, else the other table, else more', () => {
    const { late } = start()
    late.missed(1, read(4))
    expect(late.distinct(1, read(4))).toEqual(read(1))
    late.missed(1, read(1))
    expect(late.distinct(1, read(4))).toEqual(read(2))
    const other: ReadRequest = { ...read(1), functionCode: 4 }
    expect(late.distinct(1, read(1))).toEqual(other)
    late.missed(1, other)
    expect(late.distinct(1, read(1))).toEqual(read(2))
  })

  test('differs in whole bytes where addresses are bits', () => {
    const { late } = start()
    const bits: ReadRequest = { functionCode: 1, address: 0, count: 3 }
    late.missed(1, bits)
    late.missed(1, { ...bits, functionCode: 2 })
    expect(late.distinct(1, bits)).toEqual({ ...bits, count: 16 })
  })

  test('does not read beyond the last address', () => {
    const { late } = start()
    late.missed(1, read(1, 65_535))
    late.missed(1, { ...read(1), functionCode: 4 })
    expect(late.distinct(1, read(1, 65_535))).toEqual(read(2, 65_534))
  })

  test('does not exist once answers of every size are missing', () => {
    const { late } = start()
    for (let count = 1; count <= 125; count += 1) late.missed(1, read(count))
    late.missed(1, { ...read(1), functionCode: 4 })
    expect(late.distinct(1, read(1))).toBeUndefined()
  })
})

test('a late answer or exception is recognized by unit, function, size and checksum', () => {
  const { late } = start()
  late.missed(1, read(1))
  expect(late.endOf(Buffer.concat([frame(1, 3, 2, 0, 7), Buffer.of(9)]), 0)).toBe(7)
  expect(late.endOf(frame(1, 0x83, 2), 0)).toBe(5)
  expect(late.endOf(frame(2, 3, 2, 0, 7), 0)).toBeUndefined()
  expect(late.endOf(frame(1, 4, 2, 0, 7), 0)).toBeUndefined()
  expect(late.endOf(Buffer.from([1, 3, 2, 0, 7, 0, 0]), 0)).toBeUndefined()
})
