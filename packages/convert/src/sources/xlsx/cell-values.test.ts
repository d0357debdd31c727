import { describe, expect, test } from 'vitest'
import { builtInKind, columnIndex, kindOfFormat, numberText, rowNumber } from './cell-values.ts'

test('formats that a workbook does not declare are known by their number', () => {
  const kinds = Object.groupBy(
    Array.from({ length: 60 }, (_, id) => id),
    builtInKind,
  )
  expect(kinds).toEqual({
    plain: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 23, 24, 25, 26, 37, 38, 39, 40, 41, 42, 43, 44, 48, 49, 59],
    date: [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58],
    time: [18, 19, 20, 21, 32, 33, 45, 47],
    duration: [46],
  })
})

test.each([
  ['dd/mm/yyyy hh:mm', 'date'],
  ['YYYY', 'date'],
  ['mmm', 'date'],
  ['[$-409]d-mmm', 'date'],
  ['h:mm AM/PM', 'time'],
  ['mm:ss', 'time'],
  ['[h]:mm', 'duration'],
  ['[mm]:ss', 'duration'],
  ['[s]', 'duration'],
  ['General', 'plain'],
  ['Standard', 'plain'],
  ['#,##0.00 "days"', 'plain'],
  ['0 \\d', 'plain'],
  ['0_d', 'plain'],
  ['0*d', 'plain'],
  ['[Red]0', 'plain'],
  ['0;dd', 'plain'],
  ['0[yy', 'plain'],
])('the format %s is %s', (format, kind) => {
  expect(kindOfFormat(format)).toBe(kind)
})

describe('a number', () => {
  test.each([
    ['0.30000000000000004', '0.3'],
    ['-12.50', '-12.5'],
    ['1e21', '1000000000000000000000'],
    ['1e-7', '1e-7'],
    ['7', '7'],
    ['', ''],
    [' ', ' '],
    ['x', 'x'],
  ])('%s is %s', (raw, text) => {
    expect(numberText(raw, 'plain', false)).toBe(text)
  })

  test.each([
    ['1', '1900-01-01'],
    ['59', '1900-02-28'],
    ['61', '1900-03-01'],
    ['46115', '2026-04-03'],
    ['46115.5', '2026-04-03T12:00:00'],
    ['46115.586805555555', '2026-04-03T14:05:00'],
    ['46115.00001', '2026-04-03T00:00:00.864'],
    ['2958465', '9999-12-31'],
    ['2958466', '2958466'],
    ['-1', '-1'],
    ['0', '1899-12-31'],
  ])('%s is the date %s', (raw, text) => {
    expect(numberText(raw, 'date', false)).toBe(text)
  })

  test('counts from 1904 in some workbooks', () => {
    expect(['0', '1', '59', '44653'].map((raw) => numberText(raw, 'date', true))).toEqual([
      '1904-01-01',
      '1904-01-02',
      '1904-02-29',
      '2026-04-03',
    ])
  })

  test.each([
    ['0', '00:00:00'],
    ['0.5', '12:00:00'],
    ['0.00001', '00:00:00.864'],
    ['1', '1900-01-01'],
    ['46115.25', '2026-04-03T06:00:00'],
  ])('%s is the time %s', (raw, text) => {
    expect(numberText(raw, 'time', false)).toBe(text)
  })

  test.each([
    ['0', '0:00:00'],
    ['1.5', '36:00:00'],
    ['-0.25', '-6:00:00'],
    ['0.0423726851851852', '1:01:01'],
  ])('%s is the duration %s', (raw, text) => {
    expect(numberText(raw, 'duration', false)).toBe(text)
  })
})

test.each([
  ['A1', 0, 1],
  ['Z1', 25, 1],
  ['AA10', 26, 10],
  ['AB12', 27, 12],
  ['XFD1048576', 16_383, 1_048_576],
  ['XFE1', -1, 1],
  ['@1', -1, 1],
  ['A[1', 0, 1],
  ['a1', -1, 1],
  ['', -1, Number.NaN],
  ['A', 0, Number.NaN],
  ['A12345678', 0, Number.NaN],
])('the reference %s is in column %i and row %i', (reference, column, row) => {
  expect([columnIndex(reference), rowNumber(reference)]).toEqual([column, row])
})
