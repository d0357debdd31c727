import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDecimal, isSameDecimal, toJsonNumber } from './decimal.ts'

describe('a decimal number', () => {
  test.each(['0', '-7', '+7', '21.5', '.5', '5.', '1e3', '1E-3', '-.5e+2', '007'])('is %s', (text) => {
    expect(isDecimal(text)).toBe(true)
    expect(Number(toJsonNumber(text))).toBe(Number(text))
    expect(() => JSON.parse(toJsonNumber(text) ?? '')).not.toThrow()
  })

  test.each(['', '.', '-', 'e5', '1e', '1.2.3', '0x10', '1_000', ' 1', 'NaN', 'Infinity', '9'.repeat(2049)])(
    'is not %s',
    (text) => {
      expect(isDecimal(text)).toBe(false)
      expect(toJsonNumber(text)).toBeUndefined()
    },
  )

  test.each([
    ['21.5', '21.50'],
    ['21.5', '2.15e1'],
    ['100', '1e2'],
    ['0.001', '1e-3'],
    ['0', '0.00e7'],
    ['+5', '005.'],
    ['1e21', '1000000000000000000000'],
  ])('%s equals %s', (a, b) => {
    expect(isSameDecimal(a, b)).toBe(true)
  })

  test.each([
    ['21.5', '-21.5'],
    ['0', '-0'],
    ['0.1234567890123456789', '0.12345678901234568'],
    ['9007199254740993', '9007199254740992'],
    ['1', '10'],
    ['warm', 'warm'],
  ])('%s differs from %s', (a, b) => {
    expect(isSameDecimal(a, b)).toBe(false)
  })

  test('is equal in every notation', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(double, (value) => {
        expect(isSameDecimal(String(value), value.toExponential())).toBe(true)
        expect(isSameDecimal(String(value), toJsonNumber(String(value)) ?? '')).toBe(true)
      }),
    )
  })
})
