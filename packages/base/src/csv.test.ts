import { describe, expect, test } from 'vitest'
import { csvLine } from './csv.ts'

describe('a CSV line', () => {
  test('separates cells by commas and ends as RFC 4180 says', () => {
    expect(csvLine(['site.fpl', 'tickets[0].title', '', 'must not be blank'])).toBe(
      'site.fpl,tickets[0].title,,must not be blank\r\n',
    )
  })

  test.each([
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['õ', 'õ'],
    ['a;b', '"a;b"'],
  ])('quotes text that would end a cell: %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['+372 5555', "'+372 5555"],
    ['-20', "'-20"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['＝1+1', "'＝1+1"],
    ['a;=1+1', `"a;'=1+1"`],
    ['a;@SUM(A1);=2', `"a;'@SUM(A1);'=2"`],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])('defuses spreadsheet formulas: %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`)
  })

  test.each([
    [-20.5, '-20.5'],
    [0, '0'],
    [null, ''],
  ])('formats %j by its type', (value, cell) => {
    expect(csvLine([value])).toBe(`${cell}\r\n`)
  })

  test.each(['a=b', 'mari@example.ee', '1-2'])('leaves %j unchanged', (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`)
  })
})
