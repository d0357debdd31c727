import { describe, expect, test } from 'vitest'
import { judgeMeter, type MeterTestSettings } from './judge-meter.ts'
import type { OutputTestResult, TestReadings } from './output-test.ts'

const BATTERY: MeterTestSettings = { meterKwPerUnit: 1, load: { kwPerUnit: 1 } }
const readings = (value: number | null, meter: number | null, spread = 0): TestReadings => ({
  ...{ value, meter, spread, readings: 5 },
})
/** A battery goes from 0 to 5 kW and back; the meter shows these readings. */
const shown = (before: number | null, held: number | null, after: number | null, spread = 0): OutputTestResult => ({
  ...{ meterId: 'meter', taken: true },
  before: readings(0, before),
  held: readings(5, held, spread),
  after: readings(0, after),
})

describe('a meter', () => {
  test.each([
    ['follows a load', shown(20, 25, 20), 'follows'],
    ['follows a load with losses', shown(20, 22, 20), 'follows'],
    ['moves the other way', shown(20, 15, 20), 'opposite'],
    ['moves the other way, beside a load that moves less', shown(20, 15, 21), 'opposite'],
    ['does not move', shown(20, 20, 20), 'unclear'],
    ['moves a little', shown(20, 21, 20), 'unclear'],
    ['moves with other loads', shown(20, 25, 24), 'unclear'],
    ['is noisy while the load is held', shown(20, 25, 20, 4), 'unclear'],
    ['is in W while the file says kW', shown(20_000, 25_000, 20_000), 'scale'],
    ['is in W, and turned', shown(-20_000, -25_000, -20_000), 'scale'],
    ['was not read before', shown(null, 25, 20), 'unclear'],
    ['was not read while the load was held', shown(20, null, 20), 'unclear'],
    ['was not read afterwards', shown(20, 25, null), 'unclear'],
  ] as const)('that %s', (_what, result, verdict) => {
    expect(judgeMeter(result, BATTERY).verdict).toBe(verdict)
  })

  test('is compared with what the equipment showed, not with what was asked of it', () => {
    const ignored = { ...shown(20, 25, 20), held: readings(0, 25) }
    expect(judgeMeter(ignored, BATTERY)).toMatchObject({ verdict: 'unclear', expectedKw: 0 })
  })

  test('says by how much it and other loads moved', () => {
    expect(judgeMeter(shown(20, 26, 21), BATTERY)).toEqual({
      ...{ verdict: 'follows', meterKw: 5.5, expectedKw: 5, otherKw: 1 },
    })
  })

  test('is judged by a load that switches, whatever its values mean', () => {
    const boiler: MeterTestSettings = { meterKwPerUnit: 0.001, load: { shedValue: 1, ratedKw: 9 } }
    const on = { ...shown(2_000, 11_000, 2_000), before: readings(1, 2_000), held: readings(0, 11_000) }
    expect(judgeMeter({ ...on, after: readings(1, 2_000) }, boiler)).toMatchObject({ verdict: 'follows', meterKw: 9 })
    const off = { ...shown(11_000, 2_000, 11_000), before: readings(0, 11_000), held: readings(1, 2_000) }
    expect(judgeMeter({ ...off, after: readings(0, 11_000) }, boiler)).toMatchObject({
      verdict: 'follows',
      meterKw: -9,
    })
  })

  test('is not judged when another writer took over', () => {
    expect(judgeMeter({ ...shown(20, 25, 20), after: null }, BATTERY).verdict).toBe('unclear')
  })
})
