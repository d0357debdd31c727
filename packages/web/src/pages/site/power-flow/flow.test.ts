import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { NOTHING_HEARD } from '../../../live/live-view.ts'
import type { DeviceOverview } from '../overview.ts'
import { flowOf } from './flow-content.ts'
import { directionOf, flowLines } from './flow-lines.ts'

const NOW = Date.parse('2026-11-18T09:30:00Z')

interface Given {
  unit?: string
  tag?: string
  value?: number | null
  ageMs?: number
}

/** A controller with these power measurements, of which `grid` is the meter of peak shaving. */
function seen(points: Readonly<Record<string, Given>>, limitKw: number | number[] = 90): DeviceOverview {
  const datapoints = Object.entries(points).map(([id, { unit = 'kW', tag }]) => ({
    id,
    name: `Name of ${id}`,
    unit,
    tags: tag ? [tag] : [],
    accessType: 'READ',
    analyticsInterval: 60,
  }))
  const values = Object.entries(points).map(([id, { value = 1, ageMs = 0 }]) => {
    return [id, { value, timestamp: new Date(NOW - ageMs).toISOString() }]
  })
  const connection = { id: 'c', name: 'C', settings: { pollSeconds: 10 }, datapoints }
  return {
    device: { id: 'd' },
    systems: [
      { connections: [connection], timeZone: 'UTC', peakShaving: { meterId: 'grid', limitKw } },
    ] as unknown as TechnicalSystem[],
    view: { ...NOTHING_HEARD, device: { connections: [{ values: Object.fromEntries(values) }] } },
    freshness: 'live',
    controllerNow: NOW,
    now: NOW,
    ageMs: 0,
  } as unknown as DeviceOverview
}

const ALL = {
  grid: { value: 40 },
  sun: { tag: 'site.generation', value: 20 },
  battery: { tag: 'site.storage', unit: 'W', value: -5000 },
  pump: { tag: 'site.load', value: 8 },
}
const flow = (points: Readonly<Record<string, Given>>, change: Partial<DeviceOverview> = {}) =>
  flowOf([{ ...seen(points), ...change }], NOW)

test('the limit of the grid is the lower one of peak shaving and a power limit in force', () => {
  const gridLimit = (importKw: number | null) => {
    const device = seen(ALL)
    const live = { ...device.view?.device, powerLimit: { meterId: 'grid', importKw } }
    return flow(ALL, { view: { ...device.view, device: live } as DeviceOverview['view'] })?.sources[0]?.limitKw
  }
  expect([60, 120, null].map(gridLimit)).toEqual([60, 90, 90])
})

describe('the power flow of a site', () => {
  test('has its parts in kilowatts, and as other loads what no measured part takes', () => {
    const found = flow(ALL)
    const shown = [...(found?.sources ?? []), ...(found?.loads ?? [])].map(({ part, name, kw }) => [part, name, kw])
    expect(shown).toEqual([
      ['grid', 'Name of grid', 40],
      ['generation', 'Name of sun', 20],
      ['storage', 'Name of battery', -5],
      ['load', 'Name of pump', 8],
      ['rest', undefined, 57],
    ])
  })

  test('is nothing where only one part is measured', () => {
    expect(flow({ grid: {}, other: {} })).toBeUndefined()
    expect(flow({ pump: ALL.pump })).toBeUndefined()
  })

  test('adds up several meters of a part, and counts loads without room among the others', () => {
    const loads = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`l${at}`, { tag: 'site.load', value: 1 }]))
    const found = flow({ grid: { value: 10 }, a: ALL.sun, b: ALL.sun, ...loads })
    expect(found?.sources[1]).toMatchObject({ kw: 40, name: undefined, at: undefined })
    expect(found?.loads.map(({ part, kw }) => [part, kw])).toEqual([
      ...Array.from({ length: 2 }, () => ['load', 1]),
      ['rest', 48],
    ])
  })

  test('does not know a sum of which a part is missing', () => {
    const found = flow({ ...ALL, sun: { ...ALL.sun, value: null } })
    expect(found?.sources[1]?.kw).toBeUndefined()
    expect(found?.loads.at(-1)?.kw).toBeUndefined()
  })

  test('marks what is older than three polls, and everything of a controller that does not answer', () => {
    const old = flow({ ...ALL, pump: { ...ALL.pump, ageMs: 31_000 } })
    expect(old?.loads.map(({ isOld, ageMs }) => [isOld, ageMs])).toEqual([
      [true, 31_000],
      [true, undefined],
    ])
    expect(old?.sources.map(({ isOld }) => isOld)).toEqual([false, false, false])
    expect(flow(ALL, { freshness: 'offline' })?.sources.every(({ isOld }) => isOld)).toBe(true)
  })

  test('has the limit of the grid, by the hour of the site', () => {
    expect(flow(ALL)?.sources.map(({ limitKw }) => limitKw)).toEqual([90, undefined, undefined])
    const hourly = Array.from({ length: 24 }, (_, hour) => hour)
    expect(flowOf([seen(ALL, hourly)], NOW)?.sources[0]?.limitKw).toBe(9)
  })
})

describe('the lines of a power flow', () => {
  test('are as thick as their share, point where the power goes, and end at the middle of their rows', () => {
    const found = flow(ALL)
    const { height, lines } = flowLines(found ?? { sources: [], loads: [] })
    expect(height).toBe(3 * 46 + 2 * 6)
    expect(lines.map(({ side, direction, y }) => [side, direction, y])).toEqual([
      ['left', 'right', 23],
      ['left', 'right', 75],
      ['left', 'right', 127],
      ['right', 'right', 49],
      ['right', 'right', 101],
    ])
    expect(Math.max(...lines.map(({ width }) => width))).toBe(14)
    expect(lines[4]?.width).toBe(14)
    expect(lines[0]?.width).toBeGreaterThan(lines[1]?.width ?? 99)
  })

  test.each([
    ['grid', 5, 'right'],
    ['grid', -5, 'left'],
    ['storage', 5, 'left'],
    ['storage', -5, 'right'],
    ['load', 5, 'right'],
    ['rest', -5, 'left'],
    ['load', 0.01, 'none'],
    ['load', undefined, 'none'],
  ] as const)('the power of %s at %s goes %s', (part, kw, direction) => {
    expect(directionOf({ part, kw })).toBe(direction)
  })
})
