import { expect, test } from 'vitest'
import { addBytes, countValue, newPiece, openLevel } from './piece.ts'

const piece = () => newPiece('x.json, line 7', 7, 0)

test('a piece may have 32 MB, a million values and 64 levels, and no more', () => {
  const large = piece()
  addBytes(large, Buffer.alloc(32_000_000))
  expect(() => addBytes(large, Buffer.alloc(1))).toThrow('what begins here has more than 32 MB; leave it out')
  const many = { ...piece(), values: 999_999 }
  countValue(many)
  expect(() => countValue(many)).toThrow('more than 1000000 values')
  expect(openLevel(piece(), 63)).toBe(64)
  expect(() => openLevel(piece(), 64)).toThrow('x.json, line 7: what begins here has more than 64 levels of nesting')
})
