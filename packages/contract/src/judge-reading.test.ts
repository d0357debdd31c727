import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CommissionedDatapoint, type CommissioningFile, measuredPart } from './commissioning/index.ts'
import { IDENTITY_SCALER, type Scaler } from './datapoint.ts'
import { judgeReading, mendDatapoint, type ReadingCheck } from './judge-reading.ts'
import type { FlowPart } from './main-measurements.ts'
import { scalerOf } from './templates/scaler.ts'

const point = (about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  ...{ name: 'Power', accessType: 'READ', unit: 'W', data: { register: 1, type: 'uint16' }, ...about },
})
const engineering = (raw: number, { inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler = IDENTITY_SCALER) =>
  ((raw - outputValue1) * (inputValue2 - inputValue1)) / (outputValue2 - outputValue1) + inputValue1
const judge = (datapoint: CommissionedDatapoint, raw: number, part?: FlowPart) =>
  judgeReading(datapoint, { raw, value: engineering(raw, datapoint.scaler) }, part)
const tenths = scalerOf(0.1, 0)

describe('a reading', () => {
  const uint32 = { register: 1, type: 'uint32' }
  test.each([
    ['65,535 W', point(), 65_535, { type: 'int16', value: -1 }],
    ['-12 kW in 32 bits', point({ data: uint32 }), 2 ** 32 - 12_000, { type: 'int32', value: -12_000 }],
    ['-15 °C in hundredths', point({ unit: '°C', scaler: scalerOf(0.01, 0) }), 64_036, { type: 'int16', value: -15 }],
    ['a scale factor of -1', { ...point({ kind: 'scale-factor' }), unit: '' }, 65_535, { type: 'int16', value: -1 }],
  ])('of %s looks like one without its sign', (_what, datapoint, raw, check) => {
    expect(judge(datapoint, raw)).toEqual([{ kind: 'unsigned', ...check }])
  })

  test('of 64 bits, which arrives as digits, looks like one without its sign', () => {
    const reading = { raw: String(2n ** 64n - 5n), value: String(2n ** 64n - 5n) }
    expect(judgeReading(point({ data: { register: 1, type: 'uint64' } }), reading)).toEqual([
      { kind: 'unsigned', type: 'int64', value: -5 },
    ])
  })

  test.each([
    ['2300 V', 'V', 2300, 10],
    ['40000 V', 'V', 40_000, 100],
    ['499 Hz', 'Hz', 499, 10],
    ['5002 Hz', 'Hz', 5002, 100],
    ['850 %', '%', 850, 10],
    ['2150 °C', '°C', 2150, 100],
    ['-2150 °C', '°C', -2150, 100],
    ['230000 kW', 'kW', 230_000, 1000],
  ])('of %s looks too large', (_what, unit, raw, factor) => {
    const datapoint = point({ unit, data: { register: 1, type: 'int32' } })
    expect(judge(datapoint, raw)).toEqual([{ kind: 'scale', factor, value: raw / factor }])
  })

  test('of a setpoint far outside of its envelope looks too large', () => {
    const datapoint = point({ accessType: 'READ_WRITE', unit: 'kW', writeInputData: { min: 0, max: 10 } })
    expect(judge(datapoint, 5000)).toEqual([{ kind: 'scale', factor: 1000, value: 5 }])
    expect(judge(datapoint, 40)).toEqual([])
  })

  const W = { data: { register: 1, type: 'int16' } }
  test.each<[string, FlowPart | undefined, number, object[]]>([
    ['a meter that feeds in', 'grid', -12_000, [{ isPositive: false, isDoubtful: true }]],
    ['a meter that draws', 'grid', 12_000, [{ isPositive: true, isDoubtful: false }]],
    ['a battery', 'storage', -5000, [{ isPositive: false, isDoubtful: false }]],
    ['an inverter that draws', 'generation', -5000, [{ isPositive: false, isDoubtful: true }]],
    ['an inverter', 'generation', 5000, []],
    ['a load', 'load', 5000, []],
    ['a meter at rest', 'grid', -20, []],
    ['something else', undefined, -12_000, []],
  ])('of %s says its direction', (_what, part, raw, checks) => {
    expect(judge(point(W), raw, part)).toEqual(checks.map((check) => ({ kind: 'direction', part, ...check })))
  })

  test('that is none has no checks', () => {
    expect(judgeReading(point(), { raw: null, value: null }, 'grid')).toEqual([])
    expect(judgeReading(point(), { raw: 'NaN', value: 'NaN' }, 'grid')).toEqual([])
    expect(judgeReading(point(), { raw: 1.5, value: Number.NaN }, 'grid')).toEqual([])
  })
})

/** What buildings have, in steps of a register. */
const PLAUSIBLE = [
  ...[
    { unit: 'W', from: -32_000, to: 32_000, type: 'int16', scale: 1 },
    { unit: 'W', from: 0, to: 64_000, type: 'uint16', scale: 1 },
    { unit: 'W', from: 0, to: 2_000_000, type: 'uint32', scale: 1 },
    { unit: 'kW', from: -20_000, to: 20_000, type: 'int32', scale: 0.1 },
    { unit: 'V', from: 0, to: 1500, type: 'uint16', scale: 0.1 },
    { unit: 'V', from: 18_000, to: 22_000, type: 'uint16', scale: 1 },
    { unit: 'A', from: -4000, to: 4000, type: 'int32', scale: 0.01 },
    { unit: 'Hz', from: 0, to: 400, type: 'uint16', scale: 0.01 },
    { unit: '%', from: -100, to: 300, type: 'int16', scale: 0.1 },
    { unit: '°C', from: -50, to: 400, type: 'int16', scale: 0.1 },
    { unit: 'Wh', from: 0, to: 2 ** 32 - 1, type: 'uint32', scale: 1 },
    { unit: 'kWh', from: 0, to: 65_535, type: 'uint16', scale: 1 },
    { unit: 'rpm', from: 0, to: 65_535, type: 'uint16', scale: 1 },
  ],
] as const

describe('checks', () => {
  const plausible = fc.constantFrom(...PLAUSIBLE).chain(({ unit, from, to, type, scale }) =>
    fc.integer({ min: Math.ceil(from / scale), max: Math.floor(to / scale) }).map((raw) => ({
      raw: type.startsWith('u') ? Math.min(raw, 2 ** Number(type.slice(4)) - 1) : raw,
      datapoint: point({ unit, data: { register: 1, type }, ...(scale !== 1 && { scaler: scalerOf(scale, 0) }) }),
    })),
  )

  test('doubt nothing that a building has', () => {
    fc.assert(
      fc.property(plausible, ({ datapoint, raw }) => {
        expect(judge(datapoint, raw)).toEqual([])
      }),
    )
  })

  test('doubt nothing within the envelope that the file states', () => {
    const units = fc.constantFrom('W', 'kW', 'V', 'Hz', '%', '°C')
    const types = fc.constantFrom('int16', 'uint16', 'int32', 'uint32')
    const steps = fc.integer({ min: 0, max: 2 ** 32 - 1 })
    fc.assert(
      fc.property(units, types, steps, (unit, type, raw) => {
        const writeInputData = { min: 0, max: raw + 1 }
        expect(judge(point({ unit, data: { register: 1, type }, writeInputData }), raw)).toEqual([])
      }),
    )
  })

  test('never fail, and propose mends that lead to the value they name and to no other mend', () => {
    const raws = fc.integer({ min: -(2 ** 31), max: 2 ** 32 })
    const units = fc.constantFrom('W', 'kW', 'V', 'Hz', '%', '°C', 'A', 'Wh', undefined)
    const types = fc.constantFrom('int16', 'uint16', 'int32', 'uint32', undefined)
    const scalers = fc.constantFrom(undefined, tenths, scalerOf(0.01, 0), scalerOf(0.1, -40), scalerOf(1000, 0))
    fc.assert(
      fc.property(raws, units, types, scalers, (raw, unit, type, scaler) => {
        const { unit: _, ...plain } = point({ data: { register: 1, ...(type && { type }) }, ...(scaler && { scaler }) })
        const datapoint = unit === undefined ? plain : { ...plain, unit }
        for (const check of judge(datapoint, raw)) {
          if (check.kind === 'direction') continue
          const mended = mendDatapoint(datapoint, check)
          const bits = Number(type?.slice(4))
          const shown = check.kind === 'unsigned' ? raw - 2 ** bits : raw
          expect(engineering(shown, mended.scaler)).toBeCloseTo(check.value, 6)
          expect(judge(mended, shown).filter(({ kind }) => kind === 'scale' && check.kind === 'scale')).toEqual([])
        }
      }),
    )
  })
})

describe('a mend', () => {
  const scale: ReadingCheck = { kind: 'scale', factor: 10, value: 230 }
  const turn: ReadingCheck = { kind: 'direction', part: 'grid', isPositive: false, isDoubtful: true }

  test('of the type keeps the rest of the address', () => {
    expect(mendDatapoint(point(), { kind: 'unsigned', type: 'int16', value: -1 })).toEqual(
      point({ data: { register: 1, type: 'int16' } }),
    )
  })

  test('of the scale keeps whole numbers in the scaler', () => {
    expect(mendDatapoint(point(), scale).scaler).toEqual({ ...IDENTITY_SCALER, outputValue2: 10 })
    const offset = { inputValue1: -40, outputValue1: 0, inputValue2: 60, outputValue2: 1000 }
    expect(mendDatapoint(point({ scaler: offset }), scale).scaler).toEqual({
      ...offset,
      ...{ inputValue1: -4, inputValue2: 6 },
    })
  })

  test('of the sign turns every value around, and twice is none', () => {
    const turned = mendDatapoint(point({ scaler: tenths }), turn)
    expect(engineering(-120, turned.scaler)).toBe(12)
    expect(mendDatapoint(turned, turn).scaler).toEqual(tenths)
  })
})

test('what a datapoint measures follows from its tags, and from the meters that the file names', () => {
  const names: [string, string[]?][] = [['Meter'], ['Battery', ['site.storage']], ['Tagged', ['site.power']], ['Other']]
  const datapoints = names.map(([name, tags]) => point({ name, ...(tags && { tags }) }))
  const file: CommissioningFile = {
    technicalSystem: 'Room',
    connections: [{ name: 'Bus', protocol: 'modbus-tcp', settings: {}, datapoints }],
    powerLimit: { meter: 'Bus/Meter', guaranteedKw: 4, loads: [] },
  }
  expect(datapoints.map((each) => measuredPart(file, each))).toEqual(['grid', 'storage', 'grid', undefined])
})
