import type { ScheduleSlot, TechnicalSystem } from '@plantroom/contract/datapoint'
import { expect, test } from 'vitest'
import { slotAt } from './slot-at.ts'

const ALL = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const slot = (from: string, to: string, value = 1): ScheduleSlot => ({
  days: [...ALL],
  from,
  to,
  mode: 'absolute',
  value,
})
const systems = (...slots: ScheduleSlot[]): TechnicalSystem[] => [
  {
    id: 's',
    name: 'System',
    connections: [],
    timeZone: 'Europe/Tallinn',
    schedules: [{ id: 'x', name: 'Day', datapointId: 'fan', slots }],
  },
]
const span = (of: TechnicalSystem[], now: string) => {
  const found = slotAt(of, 'fan', Date.parse(now))
  return found && [new Date(found.from).toISOString(), new Date(found.to).toISOString()]
}

test('finds the active slot in the time of the site', () => {
  const [from, to] = ['2026-11-18T05:00:00.000Z', '2026-11-18T16:00:00.000Z']
  const all = systems(slot('07:00', '18:00'))
  expect(span(all, '2026-11-18T09:00:00Z')).toEqual([from, to])
  expect(span(all, '2026-11-18T15:59:59Z')).toEqual([from, to])
  expect(span(all, '2026-11-18T16:00:00Z')).toBeUndefined()
  expect(slotAt(all, 'valve', Date.parse('2026-11-18T09:00:00Z'))).toBeUndefined()
})

test('a later slot ends an earlier one, and a slot may pass midnight', () => {
  expect(span(systems(slot('07:00', '18:00'), slot('12:00', '13:00', 2)), '2026-11-18T09:00:00Z')?.[1]).toBe(
    '2026-11-18T10:00:00.000Z',
  )
  expect(span(systems(slot('22:00', '06:00')), '2026-11-18T22:30:00Z')).toEqual([
    '2026-11-18T20:00:00.000Z',
    '2026-11-19T04:00:00.000Z',
  ])
})

test('has no end where slots never end', () => {
  expect(span(systems(slot('00:00', '24:00')), '2026-11-18T09:00:00Z')).toBeUndefined()
})
