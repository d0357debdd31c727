import { describe, expect, test } from 'vitest'
import type { Request } from './frame.ts'
import { encodeRequest } from './mbap.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)

describe('a request frame', () => {
  test.each<[string, Request, string]>([
    ['reads', { functionCode: 3, address: 0x1234, count: 125 }, '00060303 1234 007d'],
    ['sets a coil', { functionCode: 5, address: 1, count: 1, payload: bytes(0xff, 0) }, '00060305 0001 ff00'],
    ['sets a register', { functionCode: 6, address: 1, count: 1, payload: bytes(0xab, 0xcd) }, '00060306 0001 abcd'],
    ['sets coils', { functionCode: 15, address: 2, count: 1, payload: bytes(1) }, '0008030f 0002 0001 01 01'],
    [
      'sets registers',
      { functionCode: 16, address: 0xffff, count: 2, payload: bytes(1, 2, 3, 4) },
      '000b0310 ffff 0002 04 01020304',
    ],
  ])('that %s follows the specification, whatever its memory contained before', (_, request, tail) => {
    for (let round = 0; round < 2000; round += 1) {
      Buffer.allocUnsafe(12).fill(0xa5)
      const bytes = Buffer.from(encodeRequest(round, 3, request)).toString('hex')
      expect(bytes).toBe(`${round.toString(16).padStart(4, '0')}0000${tail.replaceAll(' ', '')}`)
    }
  })
})
