import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excerpt } from './excerpt.ts'

describe('an excerpt', () => {
  test('returns short, printable text unchanged', () => {
    expect(excerpt('supply air 21 °C')).toBe('supply air 21 °C')
    expect(excerpt('')).toBe('')
  })

  test('truncates at about a line', () => {
    expect(excerpt('x'.repeat(100))).toBe('x'.repeat(100))
    expect(excerpt('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
    expect(excerpt('x'.repeat(10_000_000))).toBe(`${'x'.repeat(100)}…`)
    expect(excerpt(`${' '.repeat(1000)}x`)).toBe('…')
    expect(excerpt('abcdef', 3)).toBe('abc…')
  })

  test('is one line, and escapes invisible characters', () => {
    expect(excerpt(' a\r\n\u2028b\tc ')).toBe('a b c')
    expect(excerpt('a\u0000b\u001b[31mc\u0085')).toBe(String.raw`a\u0000b\u001b[31mc\u0085`)
    expect(excerpt('on\u202eno')).toBe(String.raw`on\u202eno`)
    expect(excerpt('\ud800')).toBe(String.raw`\ud800`)
  })

  test('never splits a character, and never exceeds its limit', () => {
    expect(excerpt('🔥'.repeat(101))).toBe(`${'🔥'.repeat(100)}…`)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1000 }), (text) => {
        const shown = excerpt(text)
        expect([...shown].length).toBeLessThanOrEqual(101)
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})
