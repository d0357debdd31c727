import { describe, expect, test } from 'vitest'
import { anOverride, minutes, NOW } from '../../pages/device/testing/examples.ts'
import { plannedBands } from './bands.ts'
import { chartPanels, hasMeans, holdsIn, pictureOf, seriesOf, silentSince, summaryOf } from './chart-content.ts'
import { rounded } from './rounded.ts'
import { unknownSource } from './sources.ts'
import { tableStep } from './table-step.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const source = { ...unknownSource('device', 'charge'), name: 'Charge power', unit: 'kW', interval: 60 }
const steps = (...values: [number, number][]) => ({
  step: 60,
  points: values.map(([at, mean]) => ({
    at: minutes(at),
    min: mean - 1,
    mean,
    max: mean + 1,
    last: mean,
    count: 6,
    coverage: 100,
  })),
  gaps: [],
})
const given = { source, color: 0, entries: [], since: NOW - HOUR, now: NOW, timeZone: 'UTC' }
const period = { from: NOW - HOUR, to: NOW }

describe('a line', () => {
  test('continues with live values where the archive ends', () => {
    const live = { at: [NOW - 90_000, NOW], value: [7, 8], low: [7, 8], high: [7, 8], count: [1, 1] }
    const series = seriesOf({ ...given, steps: steps([-3, 5], [-2, 6]), live })
    expect(series.points.value).toEqual([5, 6, 8])
    expect(hasMeans(series)).toBe(true)
    expect(summaryOf(series, period)).toMatchObject({ count: 13, min: 4, max: 8, last: 8 })
  })

  test('says whether an older controller archived samples', () => {
    const { points, ...rest } = steps([-3, 5])
    expect(seriesOf({ ...given, steps: { ...rest, points } }).hasSamples).toBe(false)
    const samples = points.map((point) => ({ ...point, coverage: null }))
    expect(seriesOf({ ...given, steps: { ...rest, points: samples } }).hasSamples).toBe(true)
  })

  test('has a gap where a single interval is missing', () => {
    const [panel] = chartPanels([seriesOf({ ...given, steps: steps([-20, 5], [-18, 6], [-17, 7]) })])
    expect(panel?.lines[0]?.data[1]).toEqual([5, null, 6, 7])
  })

  test('has a gap, and no line, over missing values', () => {
    const [panel] = chartPanels([seriesOf({ ...given, steps: steps([-20, 5], [-19, 6], [-5, 7]) })])
    expect(panel?.lines[0]?.data[1]).toEqual([5, 6, null, 7])
  })

  test('that is not loaded has no values that anyone knows of, and is not silent', () => {
    const unloaded = seriesOf({ ...given, steps: undefined })
    expect([unloaded.isLoaded, silentSince(unloaded, NOW)]).toEqual([false, undefined])
    expect(seriesOf({ ...given, steps: undefined, source: { ...source, interval: 0 } }).isLoaded).toBe(true)
  })

  test('is compared by the clock of the site', () => {
    const before = seriesOf({ ...given, steps: steps([-1, 5]), compared: { steps: steps([-1441, 9]), days: 1 } })
    expect(before.compared?.at).toEqual([NOW - MINUTE])
  })

  test('is silent since its last value, but not within a missing one', () => {
    const last = (minute: number) => seriesOf({ ...given, steps: steps([minute, 5]) })
    expect(silentSince(last(-2), NOW)).toBeUndefined()
    expect(silentSince(last(-30), NOW)).toBe(NOW - 30 * MINUTE)
    expect(silentSince(seriesOf({ ...given, steps: steps() }), NOW)).toBeNull()
  })
})

describe('a picture', () => {
  test('has the holds of its own datapoints, with who and what, cut to the period', () => {
    const planned = plannedBands([anOverride()], undefined, NOW)
    const own = seriesOf({ ...given, steps: steps([-1, 5]), planned })
    const other = seriesOf({ ...given, source: { ...source, datapointId: 'x', unit: '%' }, steps: undefined })
    const [panel] = chartPanels([own, other])
    const picture = panel && pictureOf(panel, { from: NOW - HOUR, to: NOW + 10 * MINUTE }, NOW)
    expect(picture?.units).toEqual(['kW', '%'])
    expect(picture?.bands).toMatchObject([
      { label: 'Demand response at 20\u00A0kW', unit: 'kW', from: NOW, to: NOW + 10 * MINUTE, isPlanned: true },
    ])
    expect(holdsIn(own, { from: NOW - HOUR, to: NOW + HOUR })).toHaveLength(1)
    expect(holdsIn(own, period)).toHaveLength(0)
  })

  test('ignores holds of other datapoints with the same audit', () => {
    const entry = { deviceId: 'device', datapointId: 'other', phase: 'applied', code: 4005, at: minutes(-5), seq: 1 }
    const entries = [entry] as unknown as Parameters<typeof seriesOf>[0]['entries']
    expect(seriesOf({ ...given, steps: undefined, entries }).bands).toEqual([])
  })

  test('ignores power limits, which the audit has at their meter', () => {
    const entry = { deviceId: 'device', datapointId: 'charge', phase: 'applied', code: 4005, at: minutes(-5), seq: 1 }
    const entries = [entry] as unknown as Parameters<typeof seriesOf>[0]['entries']
    expect(seriesOf({ ...given, steps: undefined, entries }).bands).toHaveLength(1)
    const meter = { ...source, limitedKwPerUnit: 1 }
    expect(seriesOf({ ...given, source: meter, steps: undefined, entries }).bands).toEqual([])
  })
})

test('a mean is shown with four digits, a counter with all of them', () => {
  expect([0.123_45, 12.345_6, 123.456, 1234.56, 123_456_789.4, -0.000_04].map(rounded)).toEqual([
    0.123, 12.35, 123.5, 1235, 123_456_789, -0,
  ])
  expect(rounded(null)).toBeUndefined()
})

test('a table has few enough rows to read, and none shorter than a step', () => {
  const of = (ms: number, step: number) => tableStep({ from: 0, to: ms }, step)
  expect([of(HOUR, 1), of(24 * HOUR, 60), of(365 * 24 * HOUR, 43_200), of(HOUR, 900)]).toEqual([
    MINUTE,
    15 * MINUTE,
    7 * 24 * HOUR,
    15 * MINUTE,
  ])
})
