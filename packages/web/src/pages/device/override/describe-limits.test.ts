import { describe, expect, test } from 'vitest'
import { aRow, minutes, NOW } from '../testing/examples.ts'
import { describeLimits, describeRefusal } from './describe-limits.ts'

const WHEN = { now: NOW, timeZone: 'Europe/Tallinn' }

describe('limits', () => {
  test('are described in a sentence each', () => {
    const switching = { minOnSeconds: 300, minOffSeconds: 600, maxStartsPerDay: 4 }
    expect(describeLimits({ min: 0, max: 20, maxStepPerMinute: 2.5, ...switching })).toEqual([
      'Only 0 to 20 is accepted.',
      'Moves by at most 2.5 a minute.',
      'Stays on for at least 5 min.',
      'Stays off for at least 10 min.',
      'Starts at most 4 times a day.',
    ])
    expect(describeLimits({ min: -5 })).toEqual(['At least -5 is accepted.'])
    expect(describeLimits({ max: 5 })).toEqual(['At most 5 is accepted.'])
    expect(describeLimits(undefined)).toEqual([])
  })
})

describe('a refusal', () => {
  const refusal = (row: Parameters<typeof aRow>[0], value: number, from = NOW) =>
    describeRefusal(aRow(row), value, from, WHEN)

  test('is foreseen for a value outside the limits', () => {
    const row = { limits: { min: 0, max: 20 } }
    expect(refusal(row, 20)).toBeUndefined()
    expect(refusal(row, 21)).toBe('The controller would refuse it: at most 20 is accepted.')
    expect(refusal(row, -1)).toBe('The controller would refuse it: at least 0 is accepted.')
    expect(refusal({}, 1e9)).toBeUndefined()
  })

  test('is foreseen for a switch that is too early', () => {
    const started = { limits: { minOnSeconds: 600, mayStopAt: minutes(5) } }
    expect(refusal(started, 0)).toBe(
      'The controller would refuse it: the equipment must stay on until 14:05 EET. Choose a later start.',
    )
    expect(refusal(started, 7)).toBeUndefined()
    expect(refusal(started, 0, NOW + 5 * 60_000)).toBeUndefined()
    const stopped = { limits: { minOffSeconds: 600, mayStartAt: minutes(5) } }
    expect(refusal(stopped, 3)).toBe(
      'The controller would refuse it: the equipment must stay off until 14:05 EET. Choose a later start.',
    )
    expect(refusal(stopped, 0)).toBeUndefined()
  })
})
