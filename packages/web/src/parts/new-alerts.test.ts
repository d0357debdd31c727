import { type Alert, NOT_WORKED_ON } from '@plantroom/contract/alerts'
import { expect, test } from 'vitest'
import { newAlerts, seen } from './new-alerts.ts'

const alert = (id: string, openedAt = `2026-11-16T0${id}:00:00.000Z`): Alert => ({
  ...NOT_WORKED_ON,
  ...{ id, kind: 'disk-low', siteId: 'site', deviceId: 'dev', deviceName: 'Roof', details: {}, closedAt: null },
  ...{ subject: { kind: 'device', id: 'dev', name: 'Roof' }, beganAt: openedAt, openedAt },
})
const list = (ids: string, hasMore = false) => ({ alerts: [...ids].map((id) => alert(id)), hasMore })
const first = (ids: string, hasMore = false) => seen(list(ids, hasMore), undefined)
const idsOf = (alerts: readonly Alert[]) => alerts.map(({ id }) => id).join('')

test('nothing is new at the first look', () => {
  expect(newAlerts(undefined, list('321'))).toEqual([])
})

test('an alert is new once', () => {
  expect(idsOf(newAlerts(first('21'), list('321')))).toBe('3')
  expect(newAlerts(first('321'), list('321'))).toEqual([])
})

test('an alert that opened at the same moment as a known one is new', () => {
  const before = seen({ alerts: [alert('1', '2026-11-16T01:00:00.000Z')], hasMore: false }, undefined)
  expect(newAlerts(before, { alerts: [alert('2', '2026-11-16T01:00:00.000Z')], hasMore: false })).toHaveLength(1)
})

test('a tab with an older list does not make known alerts new again', () => {
  const slow = seen(list('1'), first('21'))
  expect(newAlerts(slow, list('21'))).toEqual([])
})

test('an old alert that moves up into a long list is not new', () => {
  const before = first('54', true)
  expect(newAlerts(before, list('53', true))).toEqual([])
  expect(newAlerts(seen(list('43'), before), list('432'))).toEqual([])
  expect(idsOf(newAlerts(before, list('65', true)))).toBe('6')
})

test('what a browser remembers is bounded', () => {
  const many = Array.from({ length: 600 }, (_, index) => alert(`a${index}`, '2026-11-16T01:00:00.000Z'))
  expect(seen({ alerts: many, hasMore: false }, first('1')).ids).toHaveLength(500)
})
