import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256Of, slowSha256 } from './sha256.ts'

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_003])(
  'is the same with and without the help of the browser: %d bytes',
  async (size) => {
    const bytes = new Uint8Array(randomBytes(size))
    expect(await sha256Of(bytes)).toBe(expected(bytes))
    expect(Buffer.from(slowSha256(bytes)).toString('hex')).toBe(expected(bytes))
    const view = new Uint8Array(randomBytes(size + 7)).subarray(7)
    expect(Buffer.from(slowSha256(view)).toString('hex')).toBe(expected(view))
  },
)
