import { type ScheduleSlot, WEEKDAYS } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { layoutWeek } from './week-layout.ts'

const slot = (about: Partial<ScheduleSlot>): ScheduleSlot => ({
  ...{ days: WEEKDAYS, from: '06:00', to: '18:00', mode: 'absolute', value: 1 },
  ...about,
})
const day = (weekday: string, ...slots: ScheduleSlot[]) =>
  layoutWeek(slots)
    .find((each) => each.weekday === weekday)
    ?.segments.map(({ slot: { value }, left, width }) => [value, left, width])

describe('the week of a schedule', () => {
  test('has a segment where a slot is active', () => {
    expect(day('mon', slot({}))).toEqual([[1, 25, 50]])
    expect(day('tue', slot({ days: ['mon'] }))).toEqual([])
  })

  test('continues a slot past midnight on the next day, also from Sunday to Monday', () => {
    const night = slot({ days: ['sun'], from: '18:00', to: '06:00' })
    expect(day('sun', night)).toEqual([[1, 75, 25]])
    expect(day('mon', night)).toEqual([[1, 0, 25]])
  })

  test('shows the last of two slots that overlap, and the first one around it', () => {
    expect(day('mon', slot({}), slot({ from: '09:00', to: '12:00', value: 2 }))).toEqual([
      [1, 25, 12.5],
      [2, 37.5, 12.5],
      [1, 50, 25],
    ])
  })

  test('covers a whole day, and leaves out a slot with invalid times', () => {
    expect(day('mon', slot({ from: '00:00', to: '24:00' }), slot({ from: 'x', value: 2 }))).toEqual([[1, 0, 100]])
  })
})
