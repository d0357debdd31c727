import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { duration, finiteNumber, positiveNumber, rangeOf, timestamp, uuid, wholeNumber } from './arguments.ts'
import { UsageError } from './command.ts'

describe('a number', () => {
  test.each([
    ['-20', -20],
    ['+5', 5],
    ['21.5', 21.5],
    ['-.5', -0.5],
    ['7.', 7],
    ['-1e3', -1000],
    ['0', 0],
  ])('%s is %d', (text, value) => {
    expect(finiteNumber(text, 'VALUE')).toBe(value)
  })

  test('is read back as JavaScript prints it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(finiteNumber(String(value), 'VALUE')).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  test.each([
    '',
    ' ',
    ' 5',
    '5 ',
    '21,5',
    '0x10',
    '1_000',
    '1e400',
    '-1e400',
    'NaN',
    'Infinity',
    '5kW',
    '--5',
    '.',
    'e5',
  ])('is not %j', (text) => {
    expect(() => finiteNumber(text, 'VALUE')).toThrow(
      new UsageError(`VALUE ${text} is not a number such as -20 or 21.5`),
    )
  })

  test('that must be positive is neither 0, negative nor infinite', () => {
    expect(positiveNumber('0.3', '--every')).toBe(0.3)
    for (const text of ['0', '-1', 'two', '', '1e400']) {
      expect(() => positiveNumber(text, '--every')).toThrow(new UsageError(`--every ${text} is not a number above 0`))
    }
  })

  test('that must be whole has no fraction and no sign, and is a safe integer', () => {
    expect(wholeNumber('50', '--limit')).toBe(50)
    for (const text of ['0', '-5', '1.5', '1e3', '', '9007199254740993', 'all']) {
      expect(() => wholeNumber(text, '--limit')).toThrow(UsageError)
    }
  })
})

describe('a duration', () => {
  test.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['1.5h', 5_400_000],
    ['0.5s', 500],
    ['999999h', 3_599_996_400_000],
  ])('%s is %d ms', (text, ms) => {
    expect(duration(text, '--for')).toBe(ms)
  })

  test.each(['', '15', 'm', '0m', '0.0001s', '-5m', '15 m', '15M', '15min', '1h30m', '1d', '1e3s', '1000000h', '.5h'])(
    'is not %j',
    (text) => {
      expect(() => duration(text, '--for')).toThrow(
        new UsageError(`--for ${text} is not a duration such as 90s, 15m or 2h`),
      )
    },
  )
})

describe('a time', () => {
  test('is RFC 3339, in any zone', () => {
    expect(timestamp('2030-01-01T01:00:00+01:00', '--to')).toBe(Date.UTC(2030, 0, 1))
  })

  test.each(['', '2030-01-01', '2030-01-01T00:00:00', '12:00', 'tomorrow', '2030-02-30T00:00:00Z'])(
    'is not %j',
    (text) => {
      expect(() => timestamp(text, '--to')).toThrow(UsageError)
      expect(() => timestamp(text, '--to')).toThrow(/^--to .* such as 2026-03-01T12:00:00Z$/)
    },
  )
})

describe('a time range', () => {
  test('has the ends that were given, in UTC', () => {
    expect(rangeOf({})).toEqual({})
    expect(rangeOf({ from: '2030-01-01T01:00:00+01:00' })).toEqual({ from: '2030-01-01T00:00:00.000Z' })
    expect(rangeOf({ to: '2030-01-01T00:00:00.5Z' })).toEqual({ to: '2030-01-01T00:00:00.500Z' })
  })

  test('with an invalid end is a usage error', () => {
    expect(() => rangeOf({ from: '' })).toThrow(UsageError)
    expect(() => rangeOf({ to: '2030-01-01' })).toThrow(UsageError)
  })
})

describe('a UUID', () => {
  test('is accepted unchanged, and nothing else is accepted', () => {
    expect(uuid('0B9a2c7e-5d0f-4c51-9d5e-2f1a3b4c5d6e', '--req-id')).toBe('0B9a2c7e-5d0f-4c51-9d5e-2f1a3b4c5d6e')
    for (const text of ['', 'again', '0b9a2c7e5d0f4c519d5e2f1a3b4c5d6e', '{0b9a2c7e-5d0f-4c51-9d5e-2f1a3b4c5d6e}']) {
      expect(() => uuid(text, '--req-id')).toThrow(new UsageError(`--req-id ${text} is not a UUID`))
    }
  })
})
