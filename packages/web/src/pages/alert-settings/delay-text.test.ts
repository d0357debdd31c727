import { DEFAULT_ALERT_RULES } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { delayText, readDelay } from './delay-text.ts'

describe('a delay', () => {
  test.each([
    [0, '0 min'],
    [30, '30 s'],
    [60, '1 min'],
    [90, '1 min 30 s'],
    [3_600, '1 h'],
    [5_400, '1 h 30 min'],
    [86_400, '24 h'],
  ])('of %d s is shown as %s, and read back', (seconds, text) => {
    expect(delayText(seconds)).toBe(text)
    expect(readDelay(text)).toBe(seconds)
  })

  test.each([
    ['5', 300],
    [' 5min ', 300],
    ['0,5 min', 30],
    ['1.5 h', 5_400],
    ['2 Std.', 7_200],
    ['45 sek', 45],
    ['0', 0],
  ])('written as "%s" is read as %d s', (text, seconds) => expect(readDelay(text)).toBe(seconds))

  test.each(['', ' ', 'soon', '5 days', '-5', '5 min soon', 'min'])('is not "%s"', (text) =>
    expect(readDelay(text)).toBeUndefined(),
  )
})

test('the delays of all rules survive the form', () => {
  for (const { openAfterSeconds, closeAfterSeconds } of Object.values(DEFAULT_ALERT_RULES.rules))
    for (const seconds of [openAfterSeconds, closeAfterSeconds]) expect(readDelay(delayText(seconds))).toBe(seconds)
})
