import { describe, expect, test } from 'vitest'
import { NOW } from '../testing/examples.ts'
import { type OverrideForm, planOf } from './plan.ts'

const HOUR = 3_600_000
const when = { now: NOW + 417, timeZone: 'Europe/Tallinn' }
const form: OverrideForm = { value: 20, start: 'now', startAt: '', length: '60', endAt: '' }
const plan = (changes: Partial<OverrideForm>) => planOf({ ...form, ...changes }, when)

describe('a plan', () => {
  test('from now lasts as long as was chosen, in whole seconds', () => {
    expect(plan({}).plan).toEqual({ value: 20, from: NOW, to: NOW + HOUR, startsNow: true })
    expect(plan({ length: '15' }).plan?.to).toBe(NOW + HOUR / 4)
    expect(plan({ length: '240' }).plan?.to).toBe(NOW + 4 * HOUR)
  })

  test('has its times by the clocks of the site', () => {
    const { plan: made } = plan({
      start: 'at',
      startAt: '2026-11-15T16:00',
      length: 'until',
      endAt: '2026-11-15T18:30',
    })
    expect(made).toEqual({ value: 20, from: NOW + 2 * HOUR, to: NOW + 4.5 * HOUR, startsNow: false })
  })

  test('whose start has just passed begins at once', () => {
    expect(plan({ start: 'at', startAt: '2026-11-15T14:00' }).plan).toMatchObject({ from: NOW, startsNow: true })
  })

  test.each([
    ['0', 0],
    ['-12.5', -12.5],
    ['1e3', 1000],
  ])('takes the value %s', (typed, value) => expect(plan({ value: typed }).plan?.value).toBe(value))
})

describe('what cannot be sent is said where it is wrong', () => {
  test.each(['', ' ', '-', 'abc', 'Infinity', Number.NaN])('a value of %o', (value) => {
    expect(plan({ value }).problem?.field).toBe('value')
  })

  test('what is not typed yet is missing, not wrong', () => {
    expect(plan({ value: '' }).problem?.missing).toBe(true)
    expect(plan({ value: '-' }).problem?.missing).toBe(false)
    expect(plan({ start: 'at' }).problem).toMatchObject({ field: 'startAt', missing: true })
    expect(plan({ length: 'until' }).problem).toMatchObject({ field: 'endAt', missing: true })
  })

  test('an end that has passed, is not after the start, or is more than 24 hours after it', () => {
    const until = (endAt: string, changes: Partial<OverrideForm> = {}) => plan({ length: 'until', endAt, ...changes })
    expect(until('2026-11-15T13:59').problem?.problem).toMatch(/ended already/)
    const later = { start: 'at', startAt: '2026-11-15T18:00' } as const
    expect(until('2026-11-15T18:00', later).problem?.problem).toMatch(/after the start/)
    expect(until('2026-11-16T18:00', later).plan).toBeDefined()
    expect(until('2026-11-16T18:01', later).problem?.problem).toMatch(/24 hours at most/)
  })

  test('a start so long ago that all of it has passed', () => {
    expect(plan({ start: 'at', startAt: '2026-11-15T12:00' }).problem).toMatchObject({ field: 'startAt' })
  })
})
