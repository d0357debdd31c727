import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import { afterMove, afterSeen, allowance, clamp, type LimitState, rangeProblem, switchBlock } from './limits.ts'
import { localDay, nextLocalDay } from './local-day.ts'

const NOW = Date.UTC(2030, 0, 1, 12)
const UTC = { timeZone: 'UTC' }
const at = (ms: number) => ({ now: NOW + ms, ...UTC })

describe('a value', () => {
  test.each([
    [5, {}, 5],
    [5, undefined, 5],
    [5, { min: 10 }, 10],
    [50, { max: 20 }, 20],
    [-50, { min: -20, max: 20 }, -20],
    [7, { min: 0, max: 20 }, 7],
  ])('of %d within %j becomes %d', (value, limits, expected) => {
    expect(clamp(value, limits)).toBe(expected)
  })

  test('outside its limits is named with the limit', () => {
    expect(rangeProblem(5, { min: 10 })).toBe('value 5 is below limits.min 10')
    expect(rangeProblem(25, { max: 20 })).toBe('value 25 is above limits.max 20')
    expect(rangeProblem(20, { min: 20, max: 20 })).toBeUndefined()
    expect(rangeProblem(20)).toBeUndefined()
  })
})

describe('a datapoint that switches', () => {
  const off = afterSeen(undefined, 0, at(0))
  const on = afterSeen(off, 5, at(1000))

  test('starts when it goes from 0 to another value', () => {
    expect([off.starts, on.starts, on.isOn, on.since]).toEqual([0, 1, true, NOW + 1000])
    expect(afterSeen(on, 7, at(2000))).toBe(on)
    expect(afterSeen(on, -1, at(2000))).toBe(on)
    expect(afterSeen(afterSeen(on, 0, at(3000)), 1, at(4000)).starts).toBe(2)
  })

  test('has not started when it is seen on for the first time', () => {
    expect(afterSeen(undefined, 5, at(0))).toMatchObject({ isOn: true, since: 0, starts: 0 })
  })

  const block = (state: LimitState | undefined, value: number, limits: object, ms: number) =>
    switchBlock(state, value, limits, { at: NOW + ms, ...at(ms) })

  test('stays on for its minimum time', () => {
    const limits = { minOnSeconds: 60 }
    expect(block(on, 0, limits, 2000)).toEqual({
      reason: `limits.minOnSeconds is 60, and it has been on since ${formatTimestamp(NOW + 1000)}`,
      until: NOW + 61_000,
    })
    expect(block(on, 9, limits, 2000)).toBeUndefined()
    expect(block(on, 0, limits, 60_999)).toBeDefined()
    expect(block(on, 0, limits, 61_000)).toBeUndefined()
    expect(block(undefined, 0, limits, 0)).toBeUndefined()
  })

  test('stays off for its minimum time', () => {
    const stopped = afterSeen(on, 0, at(5000))
    expect(block(stopped, 1, { minOffSeconds: 10 }, 6000)?.until).toBe(NOW + 15_000)
    expect(block(stopped, 0, { minOffSeconds: 10 }, 6000)).toBeUndefined()
    expect(block(stopped, 1, { minOffSeconds: 10 }, 15_000)).toBeUndefined()
  })

  test('does not wait longer because the clock was set back', () => {
    expect(block(on, 0, { minOnSeconds: 60 }, -86_400_000)?.until).toBe(NOW - 86_400_000 + 60_000)
  })

  test('starts no more often than allowed on a day of its site', () => {
    const stopped = afterSeen(on, 0, at(5000))
    const limits = { maxStartsPerDay: 1, minOffSeconds: 10 }
    expect(block(stopped, 1, limits, 6000)).toEqual({
      reason: 'limits.maxStartsPerDay is 1, and it has started 1 times on 2030-01-01',
      until: Date.UTC(2030, 0, 2),
    })
    expect(block(stopped, 1, { maxStartsPerDay: 2 }, 6000)).toBeUndefined()
    expect(block(stopped, 1, limits, 12 * 3_600_000)).toBeUndefined()
    const tomorrow = afterSeen(stopped, 1, at(12 * 3_600_000))
    expect([tomorrow.day, tomorrow.starts]).toEqual(['2030-01-02', 1])
  })
})

describe('a day of a site', () => {
  test.each([
    ['UTC', '2030-01-01', '2030-01-02T00:00:00.000Z'],
    ['Europe/Tallinn', '2030-01-01', '2030-01-01T22:00:00.000Z'],
    ['Pacific/Auckland', '2030-01-02', '2030-01-02T11:00:00.000Z'],
    ['Not/AZone', '2030-01-01', '2030-01-02T00:00:00.000Z'],
  ])('in %s', (timeZone, day, next) => {
    expect(localDay(timeZone, NOW)).toBe(day)
    expect(formatTimestamp(nextLocalDay(timeZone, NOW))).toBe(next)
  })
})

describe('a value that moves in steps', () => {
  const moved = (state: LimitState | undefined, by: number, ms: number) => afterMove(state, by, 5, at(ms))

  test('moves no further within any minute than allowed', () => {
    expect(allowance(undefined, 10, NOW)).toEqual({ by: 10, nextAt: NOW + 60_000 })
    const some = moved(undefined, 4, 0)
    expect(allowance(some, 10, NOW + 1000)).toEqual({ by: 6, nextAt: NOW + 60_000 })
    const all = moved(some, 6, 30_000)
    expect(allowance(all, 10, NOW + 59_999)).toEqual({ by: 0, nextAt: NOW + 60_000 })
    expect(allowance(all, 10, NOW + 60_000)).toEqual({ by: 4, nextAt: NOW + 90_000 })
    expect(allowance(all, 10, NOW + 90_000).by).toBe(10)
  })

  test('counts many small moves as one, at the time of the last', () => {
    let state: LimitState | undefined
    for (let ms = 0; ms < 500; ms += 1) state = moved(state, 0.01, ms)
    expect(state?.moves).toHaveLength(1)
    expect(allowance(state, 10, NOW + 500).by).toBeCloseTo(5)
  })

  test('counts moves from before the clock was set back', () => {
    const state = moved(undefined, 10, 3_600_000)
    expect(allowance(state, 10, NOW)).toEqual({ by: 0, nextAt: NOW + 60_000 })
  })
})
