import { describe, expect, test } from 'vitest'
import {
  clockTime,
  duration,
  fromLocalInput,
  fullTime,
  minuteTime,
  plannedTime,
  shortTime,
  toLocalInput,
} from './time.ts'

const NOON = Date.parse('2026-11-15T10:00:00Z')

describe('a time', () => {
  test('is shown in the time zone of the site, with the zone', () => {
    expect(fullTime(NOON, 'Europe/Tallinn')).toMatch(/^15 Nov 2026, 12:00 (EET|GMT\+2)$/)
    expect(fullTime(NOON, 'UTC')).toBe('15 Nov 2026, 10:00 UTC')
    expect(clockTime('2026-07-01T10:00:05Z', 'Europe/Tallinn')).toMatch(/^13:00:05 (EEST|GMT\+3)$/)
  })

  test('includes the day unless it is today at the site', () => {
    expect(shortTime(NOON, 'UTC', NOON + 3_600_000)).toBe('10:00:00 UTC')
    expect(shortTime(NOON, 'UTC', NOON + 86_400_000)).toBe('15 Nov 2026, 10:00 UTC')
    expect(minuteTime(NOON + 5000, 'UTC', NOON + 3_600_000)).toBe('10:00 UTC')
    expect(minuteTime(NOON, 'UTC', NOON + 86_400_000)).toBe('15 Nov 2026, 10:00 UTC')
  })
})

describe('a planned time', () => {
  test('has seconds only if they are not zero', () => {
    expect(plannedTime(NOON, 'UTC', NOON - 3_600_000)).toBe('10:00 UTC')
    expect(plannedTime(NOON + 30_000, 'UTC', NOON - 3_600_000)).toBe('10:00:30 UTC')
  })

  test('includes the day unless it is today at the site', () => {
    expect(plannedTime(NOON, 'UTC', NOON - 86_400_000)).toBe('tomorrow 10:00 UTC')
    expect(plannedTime(NOON, 'UTC', NOON - 2 * 86_400_000)).toBe('15 Nov 2026, 10:00 UTC')
    expect(plannedTime('2026-11-15T22:30:00Z', 'Europe/Tallinn', NOON)).toMatch(/^tomorrow 00:30 (EET|GMT\+2)$/)
  })
})

describe('a duration', () => {
  test.each([
    [-5000, '0 s'],
    [45_000, '45 s'],
    [60_000, '1 min'],
    [61_000, '1 min 01 s'],
    [7_500_000, '2 h 05 min'],
    [3 * 86_400_000, '3 days'],
  ])('of %d ms is %s', (ms, text) => expect(duration(ms)).toBe(text))
})

describe('a time input', () => {
  test.each(['UTC', 'Europe/Tallinn', 'America/St_Johns', 'Pacific/Auckland'])('round-trips in %s', (zone) => {
    for (const at of [NOON, Date.parse('2026-03-29T00:30:00Z'), Date.parse('2026-07-01T23:59:00Z')]) {
      expect(fromLocalInput(toLocalInput(at, zone), zone)).toBe(at)
    }
  })

  test('is undefined when empty', () => expect(fromLocalInput('', 'UTC')).toBeUndefined())
})
