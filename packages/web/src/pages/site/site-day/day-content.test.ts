import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ReportEntry } from '@plantroom/contract/reports'
import { describe, expect, test } from 'vitest'
import { aDatapoint, minutes, NOW } from '../../device/testing/examples.ts'
import { dayMeasures, daySeries, heldEntries, liveSum, writerDays } from './day-content.ts'

const MINUTE = 60_000
const system = (...datapoints: TechnicalSystem['connections'][number]['datapoints']): TechnicalSystem => ({
  id: 's',
  name: 'System',
  connections: [{ id: 'c', name: 'Connection', protocol: 'modbus-tcp', settings: {}, datapoints }],
})
const meter = (id: string, unit: string) => aDatapoint({ id, name: id, accessType: 'READ', unit, tags: ['site.power'] })
const room = aDatapoint({ id: 'room', accessType: 'READ', kind: 'temperature', unit: '°C' })
const measuresOf = (...systems: TechnicalSystem[]) =>
  dayMeasures(systems.map((each, at) => ({ id: `d${at}`, name: 'Controller', systems: [each] })))

describe('the day of a site', () => {
  test('begins with the power, added up over its meters, then its main measurements', () => {
    const measures = measuresOf(system(meter('a', 'kW'), room), system(meter('b', 'kW')))
    expect(measures.map(({ key, isPower }) => [key, isPower])).toEqual([
      ['d0/a d1/b', true],
      ['d0/room', false],
    ])
  })

  test('does not add up meters with different units', () => {
    expect(measuresOf(system(meter('a', 'kW'), meter('b', 'W'))).map(({ key }) => key)).toEqual(['d0/a', 'd0/b'])
  })

  test('is empty where nothing is marked, or nothing is known yet', () => {
    expect(measuresOf(system(aDatapoint()))).toEqual([])
    expect(dayMeasures([{ id: 'd', name: '', systems: undefined }])).toEqual([])
  })

  test('has a sum only where every meter has a value, and continues it with live ones', () => {
    const [measure] = measuresOf(system(meter('a', 'kW'), meter('b', 'kW')))
    const steps = (...values: [number, number][]) => ({
      step: 60,
      points: values.map(([at, mean]) => ({
        at: minutes(at),
        min: mean,
        mean,
        max: mean,
        last: mean,
        count: 1,
        coverage: 100,
      })),
      gaps: [],
    })
    const loaded = new Map([
      ['a', steps([-3, 10], [-2, 20], [-1, 30])],
      ['b', steps([-3, 1], [-1, 3])],
    ])
    const live = { at: [NOW], value: [40], low: [40], high: [40], count: [1] }
    const series = measure && daySeries(measure, ({ datapointId }) => loaded.get(datapointId), live)
    expect(series?.points.at.map((at) => (at - NOW) / MINUTE)).toEqual([-3, -1, 0])
    expect(series?.points.value).toEqual([11, 33, 40])
    loaded.delete('b')
    expect(measure && daySeries(measure, ({ datapointId }) => loaded.get(datapointId), live)?.isLoaded).toBe(false)
  })

  test('has a live value as old as its oldest part, and none while a part is missing', () => {
    const [older, newer] = [minutes(-1), minutes(0)].map((timestamp, at) => ({ value: at + 1, timestamp }))
    expect(liveSum([newer, older])).toEqual({ at: NOW - MINUTE, value: 3 })
    expect(liveSum([newer, undefined])).toBeUndefined()
    expect(liveSum([])).toBeUndefined()
  })
})

test('holds of several datapoints by one writer become one period where they overlap', () => {
  let seq = 0
  const entry = (datapointId: string, at: number, phase: 'applied' | 'released', code: 4000 | 4005 = 4005) =>
    ({
      id: `e${seq}`,
      code,
      at: minutes(at),
      deviceId: 'd',
      datapointId,
      overrideId: code === 4005 ? datapointId : null,
      phase,
      reason: phase === 'released' ? 'ended' : 'window',
      value: 1,
      seq: seq++,
    }) as ReportEntry
  const entries = [
    entry('a', -60, 'applied'),
    entry('b', -50, 'applied'),
    entry('c', -45, 'applied', 4000),
    entry('a', -40, 'released'),
    entry('b', -30, 'released'),
    entry('a', -10, 'applied'),
    // Over before the day began.
    entry('e', -3000, 'applied'),
    entry('e', -2000, 'released'),
  ]
  const days = writerDays(entries, { since: NOW - 48 * 60 * MINUTE, from: NOW - 24 * 60 * MINUTE, now: NOW })
  expect(
    days.map(({ by, count, bands }) => [
      by,
      count,
      bands.map(({ from, to }) => [(from - NOW) / MINUTE, (to - NOW) / MINUTE]),
    ]),
  ).toEqual([
    [
      'demand-response',
      3,
      [
        [-60, -30],
        [-10, 0],
      ],
    ],
    ['peak-shaving', 1, [[-45, 0]]],
  ])
  const powerLimit = { meterId: 'a', meterKwPerUnit: 1, guaranteedKw: 0, loads: [] }
  const limited = [{ systems: undefined }, { systems: [{ connections: [], powerLimit }] }] as unknown
  const held = heldEntries(entries, limited as Parameters<typeof heldEntries>[1])
  expect(held.map(({ datapointId }) => datapointId)).toEqual(['b', 'c', 'b', 'e', 'e'])
})
