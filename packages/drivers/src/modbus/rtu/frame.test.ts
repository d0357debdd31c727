import { describe, expect, test } from 'vitest'
import type { ReadRequest, WriteRequest } from '../frame.ts'
import { encodeRequest, findAnswer, sealed } from './frame.ts'

const read: ReadRequest = { functionCode: 3, address: 0, count: 2 }
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const frame = (text: string) => sealed(Buffer.concat([hex(text), Buffer.alloc(2)]))
const noneLate = () => undefined
const find = (bytes: Buffer, request: ReadRequest | WriteRequest = read) => findAnswer(bytes, 1, request, noneLate)
const ANSWER = frame('01 03 04 0001 0002')
const REPLY = { reply: { data: hex('00010002') } }

test('a request has the checksum of the specification', () => {
  // The first is the example of "MODBUS over serial line"; the second is in the documentation of many meters.
  expect(Buffer.from(encodeRequest(2, { functionCode: 3, address: 0, count: 1 })).toString('hex')).toBe(
    '0203000000018439',
  )
  expect(Buffer.from(encodeRequest(1, { functionCode: 3, address: 0, count: 10 })).toString('hex')).toBe(
    '01030000000ac5cd',
  )
})

describe('an answer', () => {
  test('is found however it is cut, and never before it is complete', () => {
    for (let end = 0; end < ANSWER.length; end += 1) expect(find(ANSWER.subarray(0, end))).toBe('incomplete')
    expect(find(ANSWER)).toEqual(REPLY)
  })

  test('may be an exception', () => {
    expect(find(frame('01 83 02'))).toEqual({ reply: { exception: 2 } })
  })

  test('may follow a little noise of a transceiver, but nothing more', () => {
    expect(find(Buffer.concat([hex('00 ff 00'), ANSWER]))).toEqual(REPLY)
    expect(find(Buffer.concat([hex('00 ff 00 ff'), ANSWER]))).toBe('mixed')
    expect(find(Buffer.concat([ANSWER, hex('00')]))).toBe('mixed')
  })

  test('is damaged when any of its bits is wrong', () => {
    for (let bit = 0; bit < ANSWER.length * 8; bit += 1) {
      const bytes = Buffer.from(ANSWER)
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(['damaged', 'incomplete']).toContain(find(bytes))
    }
  })

  test('of another unit, function or size is not ours', () => {
    expect(find(frame('02 03 04 0001 0002'))).toBe('incomplete')
    expect(find(frame('01 04 04 0001 0002'))).toBe('incomplete')
    expect(find(frame('01 03 02 0001'))).toBe('incomplete')
  })

  test('may contain bytes that look like an exception', () => {
    const request = { ...read, count: 6 }
    const looking = Buffer.concat([frame('01 83 02'), hex('00')])
    const answer = sealed(Buffer.concat([hex('01 03 0c'), looking, looking, Buffer.alloc(2)]))
    for (let end = 0; end < answer.length; end += 1) expect(find(answer.subarray(0, end), request)).toBe('incomplete')
    expect(find(answer, request)).toEqual({ reply: { data: Buffer.concat([looking, looking]) } })
  })

  test('may follow late answers', () => {
    const late = frame('07 03 02 0009')
    const endOf = (bytes: Uint8Array, start: number) =>
      late.equals(bytes.subarray(start, start + late.length)) ? start + late.length : undefined
    expect(findAnswer(Buffer.concat([late, late, ANSWER]), 1, read, endOf)).toEqual(REPLY)
  })

  test('confirms a write only if it names the same registers', () => {
    const write: WriteRequest = { functionCode: 16, address: 5, count: 1, payload: Uint8Array.of(0, 7) }
    expect(find(frame('01 10 0005 0001'), write)).toEqual({ reply: { data: new Uint8Array() } })
    expect(find(frame('01 10 0006 0001'), write)).toBe('damaged')
  })
})
