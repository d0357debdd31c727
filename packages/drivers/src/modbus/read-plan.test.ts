import { systemClock } from '@plantroom/base/clock'
import { describe, expect, test } from 'vitest'
import { readerOf } from './codec.ts'
import { parseConfig } from './config.ts'
import { createHoles, type Holes, type KnownHole } from './holes.ts'
import { createReadPlan, isUpToDate } from './read-plan.ts'
import { createTcpMedium } from './tcp.ts'

const LIMITS = { maxRegistersPerRead: 125, maxGap: 8 }

const connection = {
  settings: { host: '10.0.0.5' },
  datapoints: [
    { name: 'Power', accessType: 'READ', data: { register: 10, type: 'int32' } },
    { name: 'Energy', accessType: 'READ', data: { register: 12, type: 'uint64' } },
    { name: 'Reset', accessType: 'WRITE', data: { register: 20, type: 'uint16' } },
  ],
}
const { config } = parseConfig(connection, createTcpMedium({ clock: systemClock }))
const points = new Map(
  config.points.map((point) => [point.name.toLowerCase(), { ...point, read: readerOf(point) }] as const),
)
const plan = (pointIds: readonly string[], holes: Holes = createHoles()) =>
  createReadPlan(pointIds, points, LIMITS, holes)

const hole = (start: number, end: number, isGap: boolean): KnownHole => ({
  ...{ table: 'holding', start, end, cause: { exception: 2 }, isGap, askedAt: 0 },
})
const ranges = (blocks: Iterable<{ start: number; end: number }>) => [...blocks].map(({ start, end }) => [start, end])

describe('a read plan', () => {
  test('has a place for each id, in the requested order', () => {
    const { blocks } = plan(['energy', 'power', 'energy'])
    expect(blocks.map(({ start, end }) => [start, end])).toEqual([[10, 16]])
    expect(blocks[0]?.points.map(({ register, index }) => [register, index])).toEqual([
      [10, 1],
      [12, 0],
      [12, 2],
    ])
  })

  test('includes WRITE datapoints, and recognizes unknown ids without a request', () => {
    const { blocks, unknown } = plan(['reset', 'stranger'])
    expect(ranges(blocks)).toEqual([[20, 21]])
    expect([...unknown]).toEqual([[1, { error: 'stranger is not a datapoint of this connection' }]])
  })

  test('separates ranges that could not be read', () => {
    const holes = createHoles()
    holes.remember(hole(12, 16, false))
    const { blocks, held } = plan(['power', 'energy'], holes)
    expect(ranges(blocks)).toEqual([[10, 12]])
    expect(ranges(held.values())).toEqual([[12, 16]])
  })

  test('separates the parts of a block that could not be read as a whole', () => {
    const holes = createHoles()
    holes.suspect({ table: 'holding', start: 10, end: 16, cause: { silence: 'no answer' } })
    const { blocks, suspects } = plan(['power', 'energy', 'reset'], holes)
    expect(ranges(blocks)).toEqual([[20, 21]])
    expect(ranges(suspects.map(({ block }) => block))).toEqual([[10, 16]])
  })

  test('includes for each gap the block that would be read without it', () => {
    const holes = createHoles()
    holes.remember(hole(12, 12, true))
    const { blocks, gaps } = plan(['power', 'energy', 'reset'], holes)
    expect(ranges(blocks)).toEqual([
      [10, 12],
      [12, 21],
    ])
    expect(ranges(gaps.values())).toEqual([[10, 21]])
  })

  test('lists each range once, the readable ones first', () => {
    const holes = createHoles()
    holes.remember(hole(10, 12, false))
    expect(ranges(plan(['power', 'energy', 'reset', 'energy'], holes).ranges())).toEqual([
      [12, 16],
      [20, 21],
      [10, 12],
    ])
  })

  test('is up to date only for the same ids', () => {
    const holes = createHoles()
    const first = plan(['power', 'energy'], holes)
    expect(isUpToDate(first, ['power', 'energy'], holes)).toBe(true)
    for (const other of [['energy', 'power'], ['power'], ['power', 'energy', 'power'], ['power', 'reset'], []]) {
      expect(isUpToDate(first, other, holes)).toBe(false)
    }
  })

  test('is outdated when the caller has changed its list', () => {
    const holes = createHoles()
    const pointIds = ['power', 'energy']
    const first = plan(pointIds, holes)
    pointIds.reverse()
    expect(isUpToDate(first, pointIds, holes)).toBe(false)
  })

  test('is outdated when a hole was found or forgotten', () => {
    const holes = createHoles()
    const first = plan(['power', 'energy'], holes)
    holes.remember(hole(12, 12, true))
    expect(isUpToDate(first, ['power', 'energy'], holes)).toBe(false)
    const learnt = plan(['power', 'energy'], holes)
    expect(isUpToDate(learnt, ['power', 'energy'], holes)).toBe(true)
    holes.forgetIllegalGaps()
    expect(isUpToDate(learnt, ['power', 'energy'], holes)).toBe(false)
  })
})
