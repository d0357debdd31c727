import { IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toEngineering } from './scaling.ts'

/** Tenths of a degree, with the bottom of the scale at -40. */
const SENSOR = { inputValue1: -40, outputValue1: 0, inputValue2: 85, outputValue2: 1250 }

describe('a raw value in engineering units', () => {
  test.each([
    [0, -40],
    [1250, 85],
    [615, 21.5],
    [-10, -41],
    [2500, 210],
  ])('%d is %d on the line through the two points, also beyond them', (raw, value) => {
    expect(toEngineering(raw, SENSOR)).toBe(value)
  })

  test('falls where the line falls', () => {
    const falling = { inputValue1: 0, outputValue1: 100, inputValue2: 100, outputValue2: 0 }
    expect([0, 25, 100].map((raw) => toEngineering(raw, falling))).toEqual([100, 75, 0])
  })

  test('has no digits that are noise of the arithmetic', () => {
    const tenths = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }
    fc.assert(
      fc.property(fc.integer({ min: -32_768, max: 65_535 }), (raw) => {
        expect(String(toEngineering(raw, tenths))).toMatch(/^-?\d+(\.\d)?$/)
      }),
    )
  })

  test('is the raw value itself where there is no scaler, exact as far as a number can be', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (raw) => {
        expect(toEngineering(raw, IDENTITY_SCALER)).toBe(raw)
        expect(toEngineering(BigInt(raw), IDENTITY_SCALER)).toBe(raw)
      }),
      { examples: [[9_007_199_254_740_991], [1_234_567_890_123_457], [0]] },
    )
  })

  test('goes through both points, and half-way between them half-way', () => {
    const side = fc.integer({ min: -100_000, max: 100_000 })
    const scalers = fc
      .record({ inputValue1: side, outputValue1: side, inputValue2: side, outputValue2: side })
      .filter((scaler) => scaler.inputValue1 !== scaler.inputValue2 && scaler.outputValue1 !== scaler.outputValue2)
    fc.assert(
      fc.property(scalers, (scaler) => {
        const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
        expect(toEngineering(outputValue1, scaler)).toBe(inputValue1)
        expect(toEngineering(outputValue2, scaler)).toBe(inputValue2)
        const middle = toEngineering((outputValue1 + outputValue2) / 2, scaler)
        expect(middle).toBeCloseTo((inputValue1 + inputValue2) / 2, 6)
      }),
    )
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%d stays what it is', (raw) => {
    expect(toEngineering(raw, IDENTITY_SCALER)).toBe(raw)
  })
})
