import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunksOf, scanChunks, scanText } from './testing/scan.ts'

/** Returns the shortened text for this source. */
function cut(source: string, cutTextsOver: number): unknown {
  const { calls, refusal } = scanText(`"${source}"`, { cutTextsOver })
  expect(refusal).toBeUndefined()
  return calls[0]?.[1]
}

describe('a text that is too long', () => {
  test('is cut at the limit, while a text of exactly that length stays complete', () => {
    expect(cut('abcdef', 6)).toBe('abcdef')
    expect(cut('abcdefg', 6)).toBe('abcdef')
  })

  test.each([
    ['a€', 'ab€', 4, 'ab'],
    ['an emoji', 'ab😀c', 5, 'ab'],
    ['a short escape', 'abc\\n', 4, 'abc'],
    ['an escaped backslash', '\\\\\\\\\\\\', 5, '\\\\'],
    ['a numeric escape', 'a\\u00f5b', 6, 'a'],
    ['a pair of escapes', 'a\\ud83d\\uDE00b', 12, 'a'],
    ['a complete pair of escapes', 'a\\uD83d\\ude00b', 13, 'a😀'],
    ['half a pair', '\\ud83d\\ud83d\\ude00', 11, '\ud83d'],
  ])('ends at a character boundary: %s', (_name, source, limit, kept) => {
    expect(cut(source, limit)).toBe(kept)
  })

  test.each([
    ['a letter', '   x', 2, '  x'],
    ['an emoji in escapes', '   \\n\\u2003\\ud83d\\ude00xyz', 2, '  😀'],
    ['a quote', '\\t\\t\\t\\"x', 4, '\t\t"'],
    ['half a pair', '   \\ud83d', 2, '  \ud83d'],
    ['an escaped non-ASCII letter', '   \\u00f5', 2, '  õ'],
    ['nothing', '   \\n\\u00a0 ', 2, '  '],
  ])('keeps its first visible character if it starts blank: %s', (_name, source, limit, kept) => {
    expect(cut(source, limit)).toBe(kept)
  })

  test.each([
    ['U+0000', 'abc\\u0000', 2, 'ab\0'],
    ['half a pair, the first one', 'abc\\uD83Dd', 2, 'ab\ud83d'],
    ['half a pair, the second one', 'abc\\ude00\\ud83d', 2, 'ab\ude00'],
    ['the first of several', 'abc\\u0000\\ud83d', 2, 'ab\0'],
    ['one after a blank start', '   x\\u0000', 2, '  x\0'],
    ['no pair', 'abc\\ud83d\\ude00', 2, 'ab'],
    ['not an escaped backslash before a u', 'abc\\\\u0000', 2, 'ab'],
  ])('keeps a character that texts must not contain: %s', (_name, source, limit, kept) => {
    expect(cut(source, limit)).toBe(kept)
  })

  test('is also cut in a name', () => {
    const { calls } = scanText('{"abcdef":{"ghijkl":"mnopqr"}}', { cutTextsOver: 3 })
    expect(calls).toEqual([['field', 'abc', { ghi: 'mno' }]])
    expect(scanText('{"a":{"abcd":1,"abce":2}}', { cutTextsOver: 3 }).refusal).toBe('the name `abc` is used twice in a')
  })

  test('is validated to its end', () => {
    expect(scanText('["abcdef\\x"]', { cutTextsOver: 2 }).refusal).toContain('expected a valid JSON escape')
  })

  test('keeps a prefix and up to two characters, and is blank or storable only if the whole text is', () => {
    const unit = fc.constantFrom(' ', '\u2003', '\ufeff', '\n', 'a', 'õ', '😀', '\ud83d', '"', '\\u', '\0')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.nat(30), fc.boolean(), (text, cutTextsOver, isEscaped) => {
        const json = JSON.stringify(text)
        const escaped = (each: string) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`
        const source = Buffer.from(isEscaped ? json.replace(/[^ -~]/g, escaped) : json)
        const { calls } = scanChunks(chunksOf(source, [7]), { cutTextsOver })
        const kept = calls[0]?.[1] as string
        expect(kept.trim() === '').toBe(text.trim() === '' || (cutTextsOver === 0 && kept === ''))
        expect([0, 1, 2].some((added) => text.startsWith([...kept].slice(0, [...kept].length - added).join('')))).toBe(
          true,
        )
        expect([kept.includes('\0') || !kept.isWellFormed()]).toEqual([text.includes('\0') || !text.isWellFormed()])
        if (source.length - 2 <= cutTextsOver) expect(kept).toBe(text)
      }),
      cases(1_000),
    )
  })
})
