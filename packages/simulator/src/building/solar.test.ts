import { describe, expect, test } from 'vitest'
import { advanceSolar, newSolar, SOLAR } from './solar.ts'

/** The power of each second of some days. */
function days(count: number, from: number): number[] {
  const powers: number[] = []
  let [solar, seed] = [newSolar, from]
  for (let time = 1; time <= count * SOLAR.daySeconds; time += 1) {
    const next = advanceSolar(solar, { seconds: 1, time, seed })
    ;[solar, seed] = [next.solar, next.seed]
    powers.push(solar.powerKw)
  }
  return powers
}

describe('solar panels', () => {
  test('generate by day, and nothing at night', () => {
    const powers = days(1, 1)
    expect(Math.max(...powers)).toBeGreaterThan(SOLAR.peakKw / 2)
    expect(Math.max(...powers)).toBeLessThanOrEqual(SOLAR.peakKw)
    expect(powers.at(-1)).toBeLessThan(0.001)
    expect(Math.min(...powers)).toBeGreaterThanOrEqual(0)
  })

  test('fall and rise with clouds within seconds, the same ones for the same seed', () => {
    const powers = days(4, 5)
    const falls = powers.filter((kw, second) => (powers[second - 5] ?? 0) - kw > SOLAR.peakKw / 8)
    expect(falls.length).toBeGreaterThan(5)
    expect(days(4, 5)).toEqual(powers)
    expect(days(4, 6)).not.toEqual(powers)
  })
})
