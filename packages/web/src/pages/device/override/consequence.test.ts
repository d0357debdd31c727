import { describe, expect, test } from 'vitest'
import { aHold, aRow, aWindow, minutes, NOW } from '../testing/examples.ts'
import { consequence, isOutside, overlapping, overlapWords } from './consequence.ts'
import type { Plan } from './plan.ts'

const when = { timeZone: 'UTC', now: NOW }
const plan: Plan = { value: 20, from: NOW, to: NOW + 3_600_000, startsNow: true }
const later: Plan = { ...plan, from: NOW + 1_800_000, to: NOW + 5_400_000, startsNow: false }
const then = (row: Parameters<typeof consequence>[0], made = plan) =>
  consequence(row, made, when).split('peak shaving want. ')[1]

describe('the consequence of an override', () => {
  test('is told as a whole', () => {
    expect(consequence(aRow(), plan, when)).toBe(
      'Charge power is held at 20 from now until 13:00 UTC (1 h), whatever schedules and peak shaving want. Then it goes back to 5.',
    )
    expect(consequence(aRow(), later, when)).toBe(
      'Charge power is held at 20 from 12:30 UTC until 13:30 UTC (1 h), whatever schedules and peak shaving want. Then it goes back to what it was at before; at present that is 5.',
    )
  })

  test('ends with whoever writes the datapoint beneath demand response', () => {
    const beneath = { by: 'peak-shaving', value: 5 } as const
    expect(then(aRow({ hold: aHold({ ...beneath, overrideId: null, until: null, beneath }) }))).toBe(
      'Then peak shaving holds it at 5, unless it has let go by then.',
    )
    expect(then(aRow({ hold: aHold({ beneath: { by: 'deviation', value: 85 } }) }))).toBe(
      'Then the schedule holds it at 85, unless it has let go by then.',
    )
  })

  test('goes back to what was there before another window, not to what that one holds it at', () => {
    const row = aRow({
      value: { value: 30, timestamp: minutes(0) },
      hold: aHold(),
      overrides: [aWindow({ to: minutes(30) })],
    })
    expect(then(row)).toBe('Then it goes back to 5.')
  })

  test('says which window goes on afterwards, or how many do', () => {
    const window = aWindow({ value: 10, to: minutes(90) })
    expect(then(aRow({ hold: aHold(), overrides: [window] }))).toBe(
      'Then the window at 10, placed by Grid partner, holds it until 13:30 UTC.',
    )
    expect(then(aRow({ hold: aHold(), overrides: [window, { ...window, id: 'w2' }] }))).toMatch(
      /one of 2 other overrides/,
    )
  })

  test('promises nothing that is not known', () => {
    expect(then(aRow({ value: { value: null, timestamp: minutes(0), error: 'no answer' } }))).toMatch(/not known/)
  })

  test('is not that of a window that has ended by then too', () => {
    const hold = aHold({ until: minutes(10), next: { by: 'demand-response', value: 7 } })
    expect(then(aRow({ hold }))).toBe('Then it goes back to 5.')
  })

  test('while it is being handed back goes back to the same', () => {
    expect(then(aRow({ hold: aHold({ by: 'plain', value: 4, beneath: { by: 'plain', value: 4 } }) }))).toBe(
      'Then it goes back to 4.',
    )
  })
})

describe('other overrides', () => {
  test('are those that share some of its time', () => {
    const overrides = [
      aWindow({ id: 'before', to: minutes(0) }),
      aWindow({ id: 'within' }),
      aWindow({ id: 'after', from: minutes(60), to: minutes(90), state: 'queued' }),
    ]
    expect(overlapping(overrides, plan).map(({ id }) => id)).toEqual(['within'])
  })

  test('are told with their time and who placed them', () => {
    expect(overlapWords(aWindow(), when)).toBe(
      'The window at 20, placed by Grid partner, rules now: from 11:30 UTC to 13:00 UTC.',
    )
    expect(overlapWords(aWindow({ state: 'queued', placedByName: null }), when)).toBe(
      'A window at 20 is queued from 11:30 UTC to 13:00 UTC.',
    )
  })
})

describe('the envelope', () => {
  test.each([
    [-50, false],
    [50, false],
    [50.001, true],
    [-51, true],
  ])('%d: outside %s', (value, outside) => expect(isOutside(value, { min: -50, max: 50 })).toBe(outside))

  test('that was not commissioned has no outside', () => expect(isOutside(1e9, undefined)).toBe(false))
})
