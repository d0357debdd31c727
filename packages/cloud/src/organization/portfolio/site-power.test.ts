import { expect, test } from 'vitest'
import { type MeterReading, powerOf } from './site-power.ts'

const AT = Date.UTC(2026, 10, 16, 8)
const meter = (changes: Partial<MeterReading> = {}): MeterReading => ({
  ...{ siteId: 'site', id: 'meter', unit: 'kW', tags: ['site.power'], isControlMeter: false, value: 10, at: AT },
  ...changes,
})

test('a site without meters has no power', () => {
  expect(powerOf([])).toBeNull()
})

test('sums watts of every size in kW, as of the oldest part', () => {
  const power = powerOf([
    meter(),
    meter({ unit: 'W', value: 500 }),
    meter({ unit: 'MW', value: 0.002, at: AT - 60_000 }),
  ])
  expect(power).toEqual({ value: 12.5, unit: 'kW', at: '2026-11-16T07:59:00.000Z' })
})

test('takes the meters of peak shaving and power limits only when nothing is tagged', () => {
  const peak = meter({ id: 'peak', tags: [], isControlMeter: true, value: 7 })
  expect(powerOf([peak])).toMatchObject({ value: 7 })
  expect(powerOf([peak, meter()])).toMatchObject({ value: 10 })
})

test('keeps a unit that all meters share, and none where none is commissioned', () => {
  expect(powerOf([meter({ unit: 'A' }), meter({ unit: 'A' })])).toMatchObject({ value: 20, unit: 'A' })
  expect(powerOf([meter({ unit: null })])).toMatchObject({ value: 10, unit: null })
})

test.each([
  ['a meter has no recent value', [meter(), meter({ value: null, at: null })]],
  ['units differ', [meter(), meter({ unit: 'A' })]],
  ['one meter has no unit', [meter(), meter({ unit: null })]],
  ['the sum is beyond every number', [meter({ value: Number.MAX_VALUE }), meter({ value: Number.MAX_VALUE })]],
  ['a unit is called like a property', [meter({ unit: 'constructor' }), meter({ unit: 'toString' })]],
])('is not known when %s', (_why, meters) => {
  expect(powerOf(meters)).toMatchObject({ value: null, at: null })
})
