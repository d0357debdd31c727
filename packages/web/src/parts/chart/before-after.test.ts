import { describe, expect, test } from 'vitest'
import type { Band } from './bands.ts'
import { around, beforeAfter, holdAt } from './before-after.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const hold = { from: 10 * HOUR, to: 12 * HOUR }

const points = (valueAt: (at: number) => number | undefined) => {
  const at = Array.from({ length: 24 * 60 }, (_, minute) => minute * MINUTE).filter(
    (time) => valueAt(time) !== undefined,
  )
  const value = at.map((time) => valueAt(time) as number)
  return { at, value, low: value, high: value, count: at.map(() => 1) }
}

describe('before and after a hold', () => {
  test('are the means of an hour each, and the difference is that of the hold to the time before', () => {
    const found = beforeAfter(
      points((at) => (at < 9 * HOUR || at >= 13 * HOUR ? 1000 : at < hold.from ? 10 : at < hold.to ? 4 : 7)),
      hold,
      MINUTE,
    )
    expect(found).toEqual({ before: 10, during: 4, after: 7, difference: -6 })
  })

  test('weigh a step by its values, and leave out steps across an edge', () => {
    const steps = {
      at: [9.5, 9.75, 10].map((hour) => hour * HOUR),
      value: [1, 100, 5],
      low: [],
      high: [],
      count: [1, 3, 1],
    }
    expect(beforeAfter(steps, hold, 15 * MINUTE).before).toBe(75.25)
    expect(beforeAfter(steps, { ...hold, from: 10 * HOUR - MINUTE }, 15 * MINUTE).before).toBe(1)
  })

  test('are unknown where there are no values', () => {
    const silent = beforeAfter(
      points((at) => (at >= hold.from ? 4 : undefined)),
      hold,
      MINUTE,
    )
    expect(silent).toMatchObject({ before: null, during: 4, difference: null })
  })

  test('have an hour on each side', () => expect(around(hold)).toEqual({ from: 9 * HOUR, to: 13 * HOUR }))
})

test('a link finds the hold of a moment, or the one that starts or ends within a minute', () => {
  const band = (from: number, to: number, changes: Partial<Band> = {}): Band => ({
    from: from * MINUTE,
    to: to * MINUTE,
    by: 'demand-response',
    value: 1,
    overrideId: null,
    isOpen: false,
    isPlanned: false,
    ...changes,
  })
  // A hold that continues lasts now, whenever its end was computed.
  expect(holdAt([band(0, 10, { isOpen: true })], 15 * MINUTE)?.from).toBe(0)
  const bands = [band(0, 10), band(10, 20), band(30, 40), band(50, 60, { isPlanned: true })]
  const found = [0, 5, 10, 20.5, 25, 29.5, 40, 55].map((at) => holdAt(bands, at * MINUTE))
  expect(found.map((each) => each && each.from / MINUTE)).toEqual([0, 0, 10, 10, undefined, 30, 30, undefined])
})
