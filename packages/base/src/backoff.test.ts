import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

const delays = (count: number, next: () => number) => Array.from({ length: count }, next)

describe('the delays between attempts', () => {
  test('double from 1 s up to 60 s', () => {
    const { next } = createBackoff(createManualClock(), () => 1)
    expect(delays(8, next)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000))
    expect(delays(2000, next).every((delay) => delay === 60_000)).toBe(true)
  })

  test('are a random fraction of that', () => {
    const { next } = createBackoff(createManualClock(), () => 0.25)
    expect(delays(3, next)).toEqual([250, 500, 1000])
    const chances = delays(100, createBackoff(createManualClock()).next)
    expect(new Set(chances).size).toBeGreaterThan(90)
    expect(chances[0]).toBeLessThan(1000)
  })

  test('start over after a connection that lasted 30 s', async () => {
    const clock = createManualClock()
    const { connected, next } = createBackoff(clock, () => 1)
    delays(5, next)
    connected()
    await clock.advance(30_000)
    expect(delays(2, next)).toEqual([1000, 2000])
  })

  test('keep growing while connections are shorter', async () => {
    const clock = createManualClock()
    const { connected, next } = createBackoff(clock, () => 1)
    for (const expected of [1000, 2000, 4000]) {
      connected()
      await clock.advance(29_999)
      expect(next()).toBe(expected)
    }
    await clock.advance(60_000)
    expect(next()).toBe(8000)
  })
})
