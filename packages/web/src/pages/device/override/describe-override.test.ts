import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../parts/plan/plan.ts'
import { aHold, anOverride, aRow, minutes, NOW } from '../testing/examples.ts'
import { describeConsequence, describeOverlap, isOutside, overlapping } from './describe-override.ts'

const when = { timeZone: 'UTC', now: NOW }
const plan: Plan = { value: 20, from: NOW, to: NOW + 3_600_000, startsNow: true }
const later: Plan = { ...plan, from: NOW + 1_800_000, to: NOW + 5_400_000, startsNow: false }
const then = (row: Parameters<typeof describeConsequence>[0], made = plan) =>
  describeConsequence(row, made, when).split('peak shaving and schedules. ')[1]

describe('the consequence of an override', () => {
  test('covers the override and what follows it', () => {
    expect(describeConsequence(aRow(), plan, when)).toBe(
      'Charge power is held at 20 from now until 13:00 UTC (1 h), ahead of peak shaving and schedules. Then it returns to 5.',
    )
    expect(describeConsequence(aRow(), later, when)).toBe(
      'Charge power is held at 20 from 12:30 UTC until 13:30 UTC (1 h), ahead of peak shaving and schedules. Then it returns to its value from before, currently 5.',
    )
  })

  test('names the writer below demand response', () => {
    const beneath = { by: 'peak-shaving', value: 5 } as const
    expect(then(aRow({ hold: aHold({ ...beneath, overrideId: null, until: null, beneath }) }))).toBe(
      'Then peak shaving holds it at 5, unless it has ended by then.',
    )
    expect(then(aRow({ hold: aHold({ beneath: { by: 'deviation', value: 85 } }) }))).toBe(
      'Then the schedule holds it at 85, unless its slot has ended by then.',
    )
  })

  test('returns to the value from before another override, not to the value of that override', () => {
    const row = aRow({
      value: { value: 30, timestamp: minutes(0) },
      hold: aHold(),
      overrides: [anOverride({ to: minutes(30) })],
    })
    expect(then(row)).toBe('Then it returns to 5.')
  })

  test('names the override that outlasts this one, or their number', () => {
    const override = anOverride({ value: 10, to: minutes(90) })
    expect(then(aRow({ hold: aHold(), overrides: [override] }))).toBe(
      'Then the override at 10, placed by Grid partner, holds it until 13:30 UTC.',
    )
    expect(then(aRow({ hold: aHold(), overrides: [{ ...override, placedByName: null }] }))).toBe(
      'Then the override at 10 holds it until 13:30 UTC.',
    )
    expect(then(aRow({ hold: aHold(), overrides: [override, { ...override, id: 'w2' }] }))).toMatch(
      /most recent of 2 other overrides/,
    )
  })

  test('promises no value that is unknown', () => {
    expect(then(aRow({ value: { value: null, timestamp: minutes(0), error: 'no answer' } }))).toMatch(/unknown/)
  })

  test('ignores an override that ends before this one', () => {
    const hold = aHold({ until: minutes(10), next: { by: 'demand-response', value: 7 } })
    expect(then(aRow({ hold }))).toBe('Then it returns to 5.')
  })

  test('keeps the value that a release in progress returns to', () => {
    expect(then(aRow({ hold: aHold({ by: 'plain', value: 4, beneath: { by: 'plain', value: 4 } }) }))).toBe(
      'Then it returns to 4.',
    )
  })
})

describe('overlapping overrides', () => {
  test('share some time with the plan', () => {
    const overrides = [
      anOverride({ id: 'before', to: minutes(0) }),
      anOverride({ id: 'within' }),
      anOverride({ id: 'after', from: minutes(60), to: minutes(90), state: 'queued' }),
    ]
    expect(overlapping(overrides, plan).map(({ id }) => id)).toEqual(['within'])
  })

  test('are described with their period and who placed them', () => {
    expect(describeOverlap(anOverride(), when)).toBe(
      'An override at 20, placed by Grid partner, is active from 11:30 UTC to 13:00 UTC.',
    )
    expect(describeOverlap(anOverride({ state: 'queued', placedByName: null }), when)).toBe(
      'An override at 20 is queued from 11:30 UTC to 13:00 UTC.',
    )
  })
})

describe('the commissioned range', () => {
  test.each([
    [-50, false],
    [50, false],
    [50.001, true],
    [-51, true],
  ])('%d: outside %s', (value, outside) => expect(isOutside(value, { min: -50, max: 50 })).toBe(outside))

  test('has no outside when there is none', () => expect(isOutside(1e9, undefined)).toBe(false))
})
