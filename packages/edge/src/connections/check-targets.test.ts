import type { Protocol } from '@plantroom/drivers/driver'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { createMemoryProtocol } from '../testing/memory-driver.ts'
import { laterTargets, sharedTargets } from './check-targets.ts'

/** Datapoints write the registers from `data.start` up to, not including, `data.end`. */
const protocol: Protocol = {
  ...createMemoryProtocol(),
  targets: ({ settings, datapoints }) =>
    datapoints.map(({ accessType, data }) => {
      if (accessType === 'READ') return undefined
      const [start, end] = [Number(data.start), Number(data.end)]
      const name = `registers ${start} to ${end - 1}`
      return { space: String(settings.host), start, end, name, reach: 'everywhere', identity: '', meaning: '' }
    }),
}

const registers = (name: string, start: number, end: number) =>
  aDatapoint({ id: name, name, accessType: 'READ_WRITE', data: { start, end } })
const on = (host: string, ...datapoints: ReturnType<typeof registers>[]) =>
  aConnection({ id: host, settings: { host }, datapoints })

const problemsOf = (own: ReturnType<typeof on>[], others: ReturnType<typeof on>[] = []) =>
  sharedTargets(aSystem('ts', own), others, () => protocol)
const pathsOf = (...args: Parameters<typeof problemsOf>) => problemsOf(...args).map(({ path }) => path)

describe('datapoints that write the same address', () => {
  test('are found when they share one register, but not when one begins where the other ends', () => {
    expect(pathsOf([on('a', registers('A', 0, 2), registers('B', 2, 4))])).toEqual([])
    expect(pathsOf([on('a', registers('A', 0, 2), registers('B', 1, 3))])).toEqual([
      'connections[0].datapoints[1].data',
    ])
  })

  test('are found inside a wide one, even behind a narrow one', () => {
    const datapoints = [registers('Wide', 0, 10), registers('Narrow', 1, 2), registers('Last', 8, 9)]
    expect(pathsOf([on('a', ...datapoints)])).toEqual([
      'connections[0].datapoints[1].data',
      'connections[0].datapoints[2].data',
    ])
  })

  test('are found in any order of the file', () => {
    expect(pathsOf([on('a', registers('B', 1, 3), registers('A', 0, 2))])).toEqual([
      'connections[0].datapoints[0].data',
    ])
  })

  test('are not found on other equipment, nor among those that are only read', () => {
    expect(pathsOf([on('a', registers('A', 0, 2)), on('b', registers('B', 0, 2))])).toEqual([])
    const readOnly = { ...registers('B', 0, 2), accessType: 'READ' as const }
    expect(pathsOf([on('a', registers('A', 0, 2), readOnly)])).toEqual([])
  })

  test('are found in another technical system, and reported once, at the datapoint of this one', () => {
    const found = problemsOf([on('a', registers('Mine', 1, 3))], [on('a', registers('Theirs', 0, 2))])
    expect(found).toEqual([
      {
        path: 'connections[0].datapoints[0].data',
        message: expect.stringContaining('Mine writes registers 1 to 2, and Theirs of another technical system writes'),
      },
    ])
    expect(pathsOf([on('a', registers('Mine', 0, 2))], [on('a', registers('Theirs', 1, 3))])).toEqual([
      'connections[0].datapoints[0].data',
    ])
  })

  test('are no problem of this system when both belong to others', () => {
    const others = [on('a', registers('One', 0, 2), registers('Two', 1, 3))]
    expect(pathsOf([on('b', registers('Mine', 0, 2))], others)).toEqual([])
  })

  test('are ignored on a connection that breaks the rules of its protocol, because it does not run', () => {
    const broken = on('a', registers('A', 0, 2), registers('B', 1, 3))
    const rejects: Protocol = { ...protocol, check: () => [{ path: 'settings', message: 'is invalid' }] }
    expect(sharedTargets(aSystem('ts', [broken]), [], () => rejects)).toEqual([])
    expect(sharedTargets(aSystem('ts', [broken]), [], () => undefined)).toEqual([])
  })
})

describe('datapoints that are not written because an older one writes the same address', () => {
  const aged = (name: string, start: number, end: number, day: number) => ({
    ...registers(name, start, end),
    createdAt: `2026-01-0${day}T00:00:00.000Z`,
  })
  const later = (...datapoints: ReturnType<typeof registers>[]) =>
    laterTargets([on('a', ...datapoints)], () => protocol).map(({ first, second }) => [first.name, second.name])

  test('are the younger ones, whatever their order in the file', () => {
    expect(later(aged('B', 0, 2, 2), aged('A', 1, 3, 1))).toEqual([['A', 'B']])
    expect(later(aged('A', 1, 3, 1), aged('B', 0, 2, 2))).toEqual([['A', 'B']])
    expect(later(aged('B', 0, 2, 1), aged('A', 1, 3, 1))).toEqual([['A', 'B']])
    expect(later(aged('A', 0, 2, 1), aged('B', 2, 3, 2))).toEqual([])
  })

  test('do not include one that only overlaps another that is not written', () => {
    expect(later(aged('A', 1, 2, 1), aged('Wide', 0, 10, 2), aged('C', 8, 9, 3))).toEqual([['A', 'Wide']])
  })
})
