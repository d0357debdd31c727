import { expect, test } from 'vitest'
import { detectSeparator } from './separator.ts'

const detected = (head: string, limit = Number.POSITIVE_INFINITY) => detectSeparator(head, limit).separator

test.each([
  ['sep=;\r\na,b', ';', 7],
  ['SEP=|\na,b', '|', 6],
  ['sep=\t\ra,b', '\t', 6],
  ['sep=x\na,b', ',', 0],
  ['sep=;', ';', 0],
])('a first line may say it: %j', (head, separator, hintLength) => {
  expect(detectSeparator(head, 1_000)).toEqual({ separator, hintLength })
})

test.each([
  ['a;b;c\n1;2,5;3\n', ';'],
  ['a,b;c\n1,2\n3,4', ','],
  ['a\tb\n1,0\t2\n', '\t'],
  ['a|b\n', '|'],
  ['a', ','],
  ['', ','],
  ['a;b', ';'],
  // The same number of cells in every row counts more than many cells.
  ['a;b,c,d\n1;2\n3;4\n', ';'],
  // The header is cut into most cells.
  ['a;b;c,d\n1;2;3,4\n', ';'],
  // Separators and line ends in quotation marks are text.
  ['"a,b,c";d\n"1,2\n,3";4\n', ';'],
  ['"a ""x"", y";d\n"1";2\n', ';'],
  // A quotation mark ends before its own separator, not before another one.
  ['"a","b;c"\n"1","2;3"\n', ','],
  ['"a";"b"\r\n"1";"2"\r\n', ';'],
  ['"a"|"b"\r"1"|"2"\r', '|'],
  // Quotation marks in the middle of a cell are text.
  ['a 3" pipe;b\n1 4" pipe;2\n', ';'],
  // Empty lines do not count.
  ['a;b,c\n\n\n1;2\n\n', ';'],
])('is found in %j', (head, separator) => {
  expect(detected(head)).toBe(separator)
})

test('a last row that is cut off does not count', () => {
  const head = 'a;b,c\n1;2,3\n4,5'
  expect(detected(head, head.length)).toBe(',')
  expect(detected('a;b;c\n1;2;3\n4', 13)).toBe(';')
})

test('50 rows are enough', () => {
  const rows = (count: number, row: string) => Array.from({ length: count }, () => row).join('')
  expect(detected(`a;b,c\n${rows(49, '1;2\n')}${rows(500, '1,2\n')}`)).toBe(';')
})
