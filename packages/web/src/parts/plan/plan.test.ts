import { describe, expect, test } from 'vitest'
import { NOW } from '../testing/holds.ts'
import { type PlanForm, planOf } from './plan.ts'

const HOUR = 3_600_000
const when = { now: NOW + 417, timeZone: 'Europe/Tallinn' }
const form: PlanForm = { value: 20, start: 'now', startAt: '', length: '60', endAt: '', reason: '' }
const plan = (changes: Partial<PlanForm>) => planOf({ ...form, ...changes }, when)

describe('a plan', () => {
  test('starts now and lasts as long as chosen, in whole seconds', () => {
    expect(plan({}).plan).toEqual({ value: 20, from: NOW, to: NOW + HOUR, startsNow: true })
    expect(plan({ length: '15' }).plan?.to).toBe(NOW + HOUR / 4)
    expect(plan({ length: '240' }).plan?.to).toBe(NOW + 4 * HOUR)
  })

  test('keeps a reason, and none that is blank', () => {
    expect(plan({ reason: ' Grid event ' }).plan?.reason).toBe('Grid event')
    expect(plan({ reason: '  ' }).plan).not.toHaveProperty('reason')
  })

  test('uses the time zone of the site', () => {
    const { plan: made } = plan({
      start: 'at',
      startAt: '2026-11-15T16:00',
      length: 'until',
      endAt: '2026-11-15T18:30',
    })
    expect(made).toEqual({ value: 20, from: NOW + 2 * HOUR, to: NOW + 4.5 * HOUR, startsNow: false })
  })

  test('starts immediately when its start has just passed', () => {
    expect(plan({ start: 'at', startAt: '2026-11-15T14:00' }).plan).toMatchObject({ from: NOW, startsNow: true })
  })

  test.each([
    ['0', 0],
    ['-12.5', -12.5],
    ['1e3', 1000],
  ])('accepts the value %s', (typed, value) => expect(plan({ value: typed }).plan?.value).toBe(value))
})

describe('an invalid form', () => {
  test.each(['', ' ', '-', 'abc', 'Infinity', Number.NaN])('rejects the value %o', (value) => {
    expect(plan({ value }).problem?.field).toBe('value')
  })

  test('marks empty fields as missing', () => {
    expect(plan({ value: '' }).problem?.missing).toBe(true)
    expect(plan({ value: '-' }).problem?.missing).toBe(false)
    expect(plan({ start: 'at' }).problem).toMatchObject({ field: 'startAt', missing: true })
    expect(plan({ length: 'until' }).problem).toMatchObject({ field: 'endAt', missing: true })
  })

  test('rejects an end in the past, before the start or more than 24 hours after it', () => {
    const until = (endAt: string, changes: Partial<PlanForm> = {}) => plan({ length: 'until', endAt, ...changes })
    expect(until('2026-11-15T13:59').problem?.problem).toMatch(/in the past/)
    const later = { start: 'at', startAt: '2026-11-15T18:00' } as const
    expect(until('2026-11-15T18:00', later).problem?.problem).toMatch(/after the start/)
    expect(until('2026-11-16T18:00', later).plan).toBeDefined()
    expect(until('2026-11-16T18:01', later).problem?.problem).toMatch(/24 hours at most/)
  })

  test('rejects a start so long ago that the override has already ended', () => {
    expect(plan({ start: 'at', startAt: '2026-11-15T12:00' }).problem).toMatchObject({ field: 'startAt' })
  })
})
