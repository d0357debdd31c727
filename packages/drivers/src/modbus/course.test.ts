import { describe, expect, test } from 'vitest'
import { type ModbusPoint, parseConfig } from './config.ts'
import { leadsTo, planCourse } from './course.ts'
import { createHoles, type Holes } from './holes.ts'

const LIMITS = { maxRegistersPerRead: 125, maxGap: 8 }

const { config } = parseConfig({
  settings: { host: '10.0.0.5' },
  datapoints: [
    { name: 'Power', accessType: 'READ', data: { register: 10, type: 'int32' } },
    { name: 'Energy', accessType: 'READ', data: { register: 12, type: 'uint64' } },
    { name: 'Reset', accessType: 'WRITE', data: { register: 20, type: 'uint16' } },
  ],
})
const points = new Map<string, ModbusPoint>(config.points.map((point) => [point.name.toLowerCase(), point]))
const plan = (pointIds: readonly string[], holes: Holes = createHoles()) => planCourse(pointIds, points, LIMITS, holes)

describe('the course of a reading', () => {
  test('has a place for each id, in the order in which they were asked for', () => {
    const { blocks } = plan(['energy', 'power', 'energy'])
    expect(blocks.map(({ start, end }) => [start, end])).toEqual([[10, 16]])
    expect(blocks[0]?.points.map(({ register, index }) => [register, index])).toEqual([
      [10, 1],
      [12, 0],
      [12, 2],
    ])
  })

  test('knows without a question what cannot be read', () => {
    const { blocks, unreadable } = plan(['reset', 'stranger'])
    expect(blocks).toEqual([])
    expect([...unreadable]).toEqual([
      [0, { error: 'Reset can only be written' }],
      [1, { error: 'stranger is not a datapoint of this connection' }],
    ])
  })

  test('sets apart what was refused by itself', () => {
    const holes = createHoles()
    holes.remember({ table: 'holding', start: 12, end: 16, exception: 2 })
    const { blocks, refused } = plan(['power', 'energy'], holes)
    expect(blocks.map(({ start, end }) => [start, end])).toEqual([[10, 12]])
    expect([...refused.values()].map(({ start, end }) => [start, end])).toEqual([[12, 16]])
  })

  test('is the same for the same ids, and for no others', () => {
    const holes = createHoles()
    const course = plan(['power', 'energy'], holes)
    expect(leadsTo(course, ['power', 'energy'], holes)).toBe(true)
    for (const other of [['energy', 'power'], ['power'], ['power', 'energy', 'power'], ['power', 'reset'], []]) {
      expect(leadsTo(course, other, holes)).toBe(false)
    }
  })

  test('is another one when the caller has changed its list', () => {
    const holes = createHoles()
    const pointIds = ['power', 'energy']
    const course = plan(pointIds, holes)
    pointIds.reverse()
    expect(leadsTo(course, pointIds, holes)).toBe(false)
  })

  test('is another one when something was learnt or forgotten', () => {
    const holes = createHoles()
    const course = plan(['power', 'energy'], holes)
    holes.remember({ table: 'holding', start: 12, end: 12 })
    expect(leadsTo(course, ['power', 'energy'], holes)).toBe(false)
    const learnt = plan(['power', 'energy'], holes)
    expect(leadsTo(learnt, ['power', 'energy'], holes)).toBe(true)
    holes.forgetGaps()
    expect(leadsTo(learnt, ['power', 'energy'], holes)).toBe(false)
  })
})
