import { type ScheduleSlot, WEEKDAYS } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { periodOf } from './calendar-time.ts'
import { createSlotSpans } from './slot-spans.ts'

const TALLINN = 'Europe/Tallinn'
const slot = (about: Partial<ScheduleSlot>): ScheduleSlot => ({
  ...{ days: WEEKDAYS, from: '07:00', to: '18:00', mode: 'absolute', value: 1 },
  ...about,
})
const spans = (date: string, slots: ScheduleSlot[], view: 'day' | 'week' = 'day', timeZone = TALLINN) =>
  createSlotSpans(
    periodOf(view, date, timeZone),
    timeZone,
  )(slots).map(
    ({ slot: { value }, start, end }) =>
      `${value} ${new Date(start).toISOString().slice(5, 16)} ${new Date(end).toISOString().slice(5, 16)}`,
  )

describe('the slots of a day', () => {
  test('are in the time of the site', () => {
    expect(spans('2026-11-16', [slot({})])).toEqual(['1 11-16T05:00 11-16T16:00'])
    expect(spans('2026-07-16', [slot({})])).toEqual(['1 07-16T04:00 07-16T15:00'])
    expect(spans('2026-11-16', [slot({ from: '07:10', to: '07:50' })], 'day', 'Asia/Kathmandu')).toEqual([
      '1 11-16T01:25 11-16T02:05',
    ])
  })

  test('of the night before continue after midnight', () => {
    const night = slot({ days: ['sun'], from: '22:00', to: '06:00' })
    expect(spans('2026-11-16', [night])).toEqual(['1 11-15T22:00 11-16T04:00'])
  })

  test('that overlap are cut: the last one in the list counts', () => {
    expect(spans('2026-11-16', [slot({}), slot({ from: '09:00', to: '10:00', value: 2 })])).toEqual([
      '1 11-16T05:00 11-16T07:00',
      '2 11-16T07:00 11-16T08:00',
      '1 11-16T08:00 11-16T16:00',
    ])
  })

  test('last an hour less or more on days on which the clocks change', () => {
    const night = slot({ from: '01:00', to: '06:00' })
    expect(spans('2026-03-29', [night])).toEqual(['1 03-28T23:00 03-29T03:00'])
    expect(spans('2026-10-25', [night])).toEqual(['1 10-24T22:00 10-25T04:00'])
  })

  test('that end before the repeated hour do not start again in it', () => {
    // 03:00 to 04:00 occurs twice; the controller counts it once.
    expect(spans('2026-10-25', [slot({ from: '03:00', to: '03:30' })])).toEqual(['1 10-25T00:00 10-25T00:30'])
  })

  test('of a week are one a day', () => {
    const working = slot({ days: ['mon', 'tue', 'wed', 'thu', 'fri'] })
    expect(spans('2026-11-16', [working], 'week')).toHaveLength(5)
  })
})
