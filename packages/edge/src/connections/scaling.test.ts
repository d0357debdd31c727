import { IDENTITY_SCALER, type Scaler } from '@plantroom/contract/datapoint'
import type { Raw } from '@plantroom/drivers/driver'
import { createModbusProtocol } from '@plantroom/drivers/modbus/driver'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsWritten, sameRaw, toEngineering, toExact, toRaw } from './scaling.ts'

/** Tenths of a degree, with the bottom of the scale at -40. */
const SENSOR = { inputValue1: -40, outputValue1: 0, inputValue2: 85, outputValue2: 1250 }

const TENTHS = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }

const side = fc.integer({ min: -100_000, max: 100_000 })
const scalers = fc
  .record({ inputValue1: side, outputValue1: side, inputValue2: side, outputValue2: side })
  .filter((scaler) => scaler.inputValue1 !== scaler.inputValue2 && scaler.outputValue1 !== scaler.outputValue2)

describe('a raw value in engineering units', () => {
  test.each([
    [0, -40],
    [1250, 85],
    [615, 21.5],
    [-10, -41],
    [2500, 210],
  ])('%d is %d on the line through the two points, even beyond them', (raw, value) => {
    expect(toEngineering(raw, SENSOR)).toBe(value)
  })

  test('decreases with a falling line', () => {
    const falling = { inputValue1: 0, outputValue1: 100, inputValue2: 100, outputValue2: 0 }
    expect([0, 25, 100].map((raw) => toEngineering(raw, falling))).toEqual([100, 75, 0])
  })

  test('has no arithmetic noise in its digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -32_768, max: 65_535 }), (raw) => {
        expect(String(toEngineering(raw, TENTHS))).toMatch(/^-?\d+(\.\d)?$/)
      }),
    )
  })

  test('is the raw value itself without a scaler, as exact as a number can be', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (raw) => {
        expect(toEngineering(raw, IDENTITY_SCALER)).toBe(raw)
        expect(toEngineering(BigInt(raw), IDENTITY_SCALER)).toBe(raw)
      }),
      { examples: [[9_007_199_254_740_991], [1_234_567_890_123_457], [0]] },
    )
  })

  test('goes through both points and the middle between them', () => {
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

describe('a value in engineering units as a raw value', () => {
  test.each([
    [-40, 0],
    [85, 1250],
    [21.5, 615],
    [21.54, 615.4],
    [210, 2500],
  ])('%d is %d on the line through the two points, even beyond them', (value, raw) => {
    expect(toRaw(value, SENSOR)).toBe(raw)
  })

  test('has no arithmetic noise in its digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: -327_680, max: 655_350 }), (hundredths) => {
        expect(String(toRaw(hundredths / 100, TENTHS))).toMatch(/^-?\d+(\.\d)?$/)
      }),
    )
  })

  test('is the value itself without a scaler', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(toRaw(value, IDENTITY_SCALER)).toBe(value)
      }),
    )
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%d stays what it is', (value) => {
    expect(toRaw(value, IDENTITY_SCALER)).toBe(value)
  })
})

describe('a value written to the equipment and read back', () => {
  const RANGE = {
    int16: [-32_768, 32_767],
    uint16: [0, 65_535],
    int32: [-2_147_483_648, 2_147_483_647],
    uint32: [0, 4_294_967_295],
    // Numbers beyond 2^53 are rejected, and the scaler's arithmetic has some noise.
    int64: [-(2 ** 52), 2 ** 52],
    uint64: [0, 2 ** 52],
  } as const
  const types = fc.constantFrom(...(Object.keys(RANGE) as (keyof typeof RANGE)[]))

  const protocol = createModbusProtocol({ clock: createManualClock() })
  const drivers = new Map(
    [...Object.keys(RANGE), 'float32'].map((type) => {
      const point = aDatapoint({ id: 'point', accessType: 'READ_WRITE', data: { register: 0, type } })
      return [type, protocol.connect(aConnection({ datapoints: [point], settings: { host: 'localhost' } }))]
    }),
  )
  const nearest = (type: string, raw: number) => drivers.get(type)?.nearest('point', raw) as Raw
  const stepOf = ({ inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler) =>
    Math.abs((inputValue2 - inputValue1) / (outputValue2 - outputValue1))
  const noiseOf = (value: number, scaler: Scaler) =>
    1e-13 * Math.max(Math.abs(value), Math.abs(scaler.inputValue1), stepOf(scaler) * Math.abs(scaler.outputValue1))

  test('is within half a register step of the original', () => {
    fc.assert(
      fc.property(types, scalers, fc.double({ noNaN: true, min: 0, max: 1 }), (type, scaler, share) => {
        const [min, max] = RANGE[type]
        const value = toEngineering(min + share * (max - min), scaler)
        const back = toEngineering(nearest(type, toRaw(value, scaler)), scaler)
        expect(Math.abs(back - value)).toBeLessThanOrEqual(stepOf(scaler) / 2 + noiseOf(value, scaler))
      }),
    )
  })

  test('is exact when it was read from the register', () => {
    fc.assert(
      fc.property(
        types.filter((type) => !type.endsWith('64')),
        scalers,
        fc.double({ noNaN: true, min: 0, max: 1 }),
        (type, scaler, share) => {
          const [min, max] = RANGE[type]
          const raw = Math.round(min + share * (max - min))
          expect(sameRaw(nearest(type, toRaw(toEngineering(raw, scaler), scaler)), raw)).toBe(true)
        },
      ),
    )
  })

  test('is the same up to float32 precision in a float32 register', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), (value) => {
        const raw = nearest('float32', toRaw(value, TENTHS))
        expect(Math.abs(toEngineering(raw, TENTHS) - value)).toBeLessThanOrEqual(2e-7 * Math.abs(value) + 1e-40)
      }),
    )
  })
})

describe('an exact value', () => {
  test.each<[Raw, number | string]>([
    [42, 42],
    [42n, 42],
    [2n ** 53n, 9_007_199_254_740_992],
    [2n ** 53n + 1n, '9007199254740993'],
    [-(2n ** 53n), -9_007_199_254_740_992],
    [-(2n ** 53n) - 1n, '-9007199254740993'],
    [2n ** 60n, '1152921504606846976'],
    [2n ** 64n - 1n, '18446744073709551615'],
  ])('of %s is %j', (raw, exact) => {
    expect(toExact(raw, IDENTITY_SCALER)).toBe(exact)
  })

  test('is text under an identity scaler and a number otherwise', () => {
    const identity = { inputValue1: -5, outputValue1: -5, inputValue2: 100, outputValue2: 100 }
    expect(toExact(2n ** 53n + 1n, identity)).toBe('9007199254740993')
    expect(toExact(2n ** 60n, TENTHS)).toBe(2 ** 60 / 10)
  })
})

describe('a written value and the value read back', () => {
  test.each<[written: Raw, read: Raw, isHeld: boolean]>([
    [1, 1, true],
    [1, 1n, true],
    [1, 2, false],
    [1_000_000_000, 1_000_000_001, false],
    [2n ** 53n, 2n ** 53n + 1n, false],
    [2 ** 53, 2n ** 53n + 1n, false],
    [0, -0, true],
    [0.1, Math.fround(0.1), true],
    [0.1, 0.100_000_001_5, true],
    [701.00085, 701.0008544921875, true],
    [1e-30, Math.fround(1e-30), true],
    [1e-30, 1.000_001e-30, false],
    [1_000_000.75, 1_000_000.25, false],
    [123_456_789.5, 123_456_789, false],
    [1e9 + 0.75, 1e9 + 0.25, false],
    [16_777_217, 16_777_216, false],
    [21.5, 21.6, false],
    [21.5, -21.5, false],
    [0, 1e-9, false],
    [0.5, 0, false],
    [Number.NaN, 1.5, false],
  ])('%s, and the equipment shows %s: holds it? %s', (written, read, isHeld) => {
    expect(holdsWritten(read, written)).toBe(isHeld)
  })

  test('are the same despite float32 rounding', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: 1e-30, max: 1e38 }), (value) => {
        fc.pre(!Number.isInteger(value))
        expect(holdsWritten(Math.fround(value), value)).toBe(true)
      }),
    )
  })

  test('differ wherever a float32 can tell them apart', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: 1e-30, max: 1e30 }),
        fc.double({ min: 1e-6, max: 1 }),
        (value, part) => {
          fc.pre(!Number.isInteger(value))
          expect(holdsWritten(value * (1 + part), value)).toBe(false)
        },
      ),
    )
  })
})
