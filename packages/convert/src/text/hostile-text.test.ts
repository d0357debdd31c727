import { describe, expect, test } from 'vitest'
import { uniqueName } from '../files/file-names.ts'
import { columnIndex, rowNumber } from '../sources/xlsx/cell-values.ts'
import { readAddress } from './addresses.ts'
import { htmlToText } from './html.ts'
import { numberIn } from './numbers.ts'

describe('a number of a file', () => {
  test.each([
    ['12', 12],
    ['-Infinity', 1],
    ['1e999', 100],
    ['-5', 1],
    [7, 7],
    ['x', Number.NaN],
    [undefined, Number.NaN],
    [{ valueOf: 1, toString: 1 }, Number.NaN],
    [`${'1'.repeat(500)}`, Number.NaN],
  ])('%j is read and bounded', (text, number) => {
    expect(numberIn(text, 1, 100)).toBe(number)
  })
})

test('a reference beyond the last column is none', () => {
  expect([columnIndex('A1'), columnIndex('XFD1'), columnIndex('XFE1'), columnIndex('Z'.repeat(50))]).toEqual([
    ...[0, 16_383, -1, -1],
  ])
  expect([rowNumber('AB12'), rowNumber('A')]).toEqual([12, Number.NaN])
})

test.each(['<div>', '<ul><li>', '<h1>', '<b>', '<div><!--</div>-->', '<a title="</a>">'])(
  'HTML with 80,000 of %s without an end becomes text',
  (tag) => {
    const text = htmlToText(`<p>first</p>${tag.repeat(80_000)}<i>last</i>`)
    expect(text).toContain('first')
    expect(text).toContain('last')
  },
)

test('HTML below 200 levels keeps its text, its lines and its addresses', () => {
  const deep = (levels: number, inside: string) => `${'<div>'.repeat(levels)}${inside}${'</div>'.repeat(levels)}`
  const inside = 'Tap &amp; <b>sink</b><br>drips<script>x()</script> <a href="https://a.ee/?a&amp;b">see</a>'
  expect(htmlToText(deep(300, inside))).toBe('Tap & sink\ndrips see (https://a.ee/?a&b)')
  expect(htmlToText(deep(199, 'shallow'))).toBe('shallow')
  for (const levels of [198, 199, 200, 201, 202]) expect(htmlToText(deep(levels, 'x'))).toBe('x')
})

test('HTML of more than 16 MB keeps its end', () => {
  expect(htmlToText(`<p>${'word '.repeat(3_300_000)}</p><p>end</p>`).endsWith('\nend')).toBe(true)
})

test('HTML with many elements side by side stays whole', () => {
  expect(htmlToText('<div>x</div>'.repeat(3_000)).split('\n')).toHaveLength(3_000)
})

describe('an address', () => {
  test.each([
    ['Mari Maasikas <mari@example.ee>', 'Mari Maasikas'],
    [' "Maasikas, Mari" < mailto:mari@example.ee > ', 'Maasikas, Mari'],
    ['<mari@example.ee>', ''],
    ['mailto:mari@example.ee', ''],
  ])('%s is taken apart', (text, name) => {
    expect(readAddress(text)).toEqual({ email: 'mari@example.ee', name })
  })

  test.each([
    'Mari <mari@example.ee',
    'a "b" c <mari@example.ee>',
    '<<mari@example.ee>',
    '"<">',
    '> <mari@example.ee>',
  ])('%s is none', (text) => {
    expect(readAddress(text)).toBeUndefined()
  })
})

test('50,000 files of one name get names of their own', () => {
  const used = new Map<string, number>()
  const names = Array.from({ length: 50_000 }, () => uniqueName('photo.jpg', used))
  expect(new Set(names).size).toBe(50_000)
  expect(names.slice(0, 3)).toEqual(['photo.jpg', 'photo (2).jpg', 'photo (3).jpg'])
})
