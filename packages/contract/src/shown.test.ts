import { describe, expect, test } from 'vitest'
import { shown } from './shown.ts'

describe('text from outside in a message', () => {
  test.each([
    ['stays as it is', 'Wärmepumpe "1" \\n', 'Wärmepumpe "1" \\n'],
    ['has line breaks and tabs escaped', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['has terminal escape sequences escaped', '\u001b[31mred\u0007', '\\u001b[31mred\\u0007'],
    ['has NUL, DEL and C1 escaped', '\u0000\u007f\u009b', '\\u0000\\u007f\\u009b'],
    ['has marks of the writing direction escaped', 'a\u202eb\u2066\u200f\u061c', 'a\\u202eb\\u2066\\u200f\\u061c'],
    ['has line separators escaped', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['has unpaired surrogates escaped', 'a\ud83d', 'a\\ud83d'],
  ])('%s', (_rule, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('ends with … after 100 characters, counted as code points', () => {
    expect(shown('x'.repeat(100))).toBe('x'.repeat(100))
    expect(shown('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
    expect(shown('😀'.repeat(101))).toBe(`${'😀'.repeat(100)}…`)
    expect(shown('x'.repeat(60_000))).toBe(`${'x'.repeat(100)}…`)
  })

  test('counts an escape by the characters it takes, and never cuts one', () => {
    expect(shown('\u001b'.repeat(60_000))).toBe(`${'\\u001b'.repeat(16)}…`)
    expect(shown(`${'x'.repeat(98)}\n`)).toBe(`${'x'.repeat(98)}\\n`)
    expect(shown(`${'x'.repeat(99)}\n`)).toBe(`${'x'.repeat(99)}…`)
  })

  test('accepts another limit', () => {
    expect(shown('abcdef', 3)).toBe('abc…')
  })
})
