import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addToHighs, type HourHighs, highAt, NO_HIGHS } from './hour-highs.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const BERLIN = { timeZone: 'Europe/Berlin', longestMs: 90_000 }
/** The clocks in Berlin are set back in the night to 27 October 2030. */
const BEFORE_THE_CHANGE = Date.UTC(2030, 9, 23)

/** Reads a power once a minute from one time to another. */
function read(before: HourHighs, from: number, to: number, kwAt: (at: number) => number | null): HourHighs {
  let highs = before
  for (let at = from; at < to; at += MINUTE) highs = addToHighs(highs, { at, value: kwAt(at) }, BERLIN)
  return highs
}
const high = (highs: HourHighs, at: number) => highAt(highs, at, BERLIN.timeZone)
/** 30 kW from 18:00 to 18:10 at the site, and 10 kW otherwise. */
const evening = (offsetHours: (at: number) => number) => (at: number) =>
  Math.floor(((at + offsetHours(at) * HOUR) % DAY) / (10 * MINUTE)) === 18 * 6 ? 30 : 10
const berlin = evening((at) => (at < Date.UTC(2030, 9, 27, 1) ? 2 : 1))

describe('the highest power of an hour', () => {
  test('is known after five days, and follows the clock of the site when that is set back', () => {
    const four = read(NO_HIGHS, BEFORE_THE_CHANGE, BEFORE_THE_CHANGE + 4 * DAY, berlin)
    expect(high(four, Date.UTC(2030, 9, 27, 17, 30))).toBeUndefined()
    const five = read(four, BEFORE_THE_CHANGE + 4 * DAY, BEFORE_THE_CHANGE + 5 * DAY, berlin)
    expect([16, 17, 18].map((hour) => high(five, Date.UTC(2030, 9, 28, hour, 30)))).toEqual([10, 30, 10])
  })

  test('is forgotten after a week', () => {
    const start = Date.UTC(2030, 0, 1)
    const once = read(NO_HIGHS, start, start + DAY, () => 50)
    const later = read(once, start + DAY, start + 7 * DAY, () => 10)
    expect(high(later, start + 7 * DAY)).toBe(50)
    expect(
      high(
        read(later, start + 7 * DAY, start + 9 * DAY, () => 10),
        start + 9 * DAY,
      ),
    ).toBe(10)
  })

  test('is not that of a moment, nor of an hour that was hardly read', () => {
    const start = Date.UTC(2030, 0, 1)
    const spike = read(NO_HIGHS, start, start + 7 * DAY, (at) => (at % HOUR === 0 ? 500 : 10))
    expect(high(spike, start + 7 * DAY)).toBe(108)
    const seldom = read(NO_HIGHS, start, start + 7 * DAY, (at) => (at % HOUR < 20 * MINUTE ? 50 : null))
    expect(high(seldom, start + 7 * DAY)).toBeUndefined()
  })

  test('of the same hour today counts at once', () => {
    const start = Date.UTC(2030, 0, 1)
    const week = read(NO_HIGHS, start, start + 7 * DAY, () => 10)
    const today = read(week, start + 7 * DAY, start + 7 * DAY + 31 * MINUTE, () => 40)
    expect(high(today, start + 7 * DAY + 31 * MINUTE)).toBe(40)
  })
})

test('whatever the clock and the meter do, it is bounded, within what was read, and comes back after a good week', () => {
  const step = fc.record({
    jumpMs: fc.oneof(fc.constant(0), fc.integer({ min: -40 * DAY, max: 400 * DAY })),
    minutes: fc.integer({ min: 1, max: 300 }),
    kw: fc.oneof(fc.integer({ min: -50, max: 200 }), fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY)),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let [highs, at] = [NO_HIGHS, Date.UTC(2030, 2, 29)]
      for (const { jumpMs, minutes, kw } of steps) {
        at += jumpMs
        highs = read(highs, at, at + minutes * MINUTE, () => kw)
        at += minutes * MINUTE
        expect(highs.hours.length).toBeLessThanOrEqual(8 * 24)
        for (const hour of highs.hours) {
          expect(Number.isInteger(hour.hour) && hour.kw >= -50 && hour.kw <= 200).toBe(true)
          expect(hour.from).toBeLessThanOrEqual(at)
        }
        // What a restart keeps is what was there.
        const kept = { ...NO_HIGHS, hours: JSON.parse(JSON.stringify(highs.hours)) }
        expect(high(kept, at)).toBe(high(highs, at))
      }
      const good = read(highs, at, at + 8 * DAY + 2 * HOUR, () => 7)
      expect(high(good, at + 8 * DAY + 2 * HOUR)).toBe(7)
    }),
    cases(30),
  )
})
