import { expect, test } from 'vitest'
import { canCancel, describeCounts, describeSetpoint, describeTarget, isMoving, sharesOf } from './describe-dispatch.ts'

const none = { accepted: 0, refused: 0, offline: 0, expired: 0, pending: 0, cancelled: 0 }

test('says what is asked, with its unit', () => {
  expect(describeSetpoint({ value: null, totalKw: -500 })).toBe('-500 kW in total')
  expect(describeSetpoint({ value: 21, totalKw: null })).toBe('21, in the unit of each datapoint')
  expect(describeTarget({ value: 21, unit: '°C' })).toBe('21 °C')
  expect(describeTarget({ value: 0, unit: null })).toBe('0')
})

test('counts the outcomes that there are', () => {
  expect(describeCounts({ ...none, accepted: 1200, refused: 1 })).toBe('1,200 accepted · 1 refused')
  expect(describeCounts(none)).toBe('')
})

test('divides the bar by outcomes', () => {
  expect(sharesOf({ ...none, accepted: 3, pending: 1 })).toEqual([
    { outcome: 'accepted', percent: 75 },
    { outcome: 'pending', percent: 25 },
  ])
  expect(sharesOf(none)).toEqual([])
})

test('offers to cancel until the window ends, also when all have answered', () => {
  const to = '2026-11-16T10:00:00.000Z'
  const before = Date.parse(to) - 1
  expect(canCancel({ state: 'running', to }, before)).toBe(true)
  expect(canCancel({ state: 'completed', to }, before)).toBe(true)
  expect(canCancel({ state: 'cancelled', to }, before)).toBe(false)
  expect(canCancel({ state: 'completed', to }, Date.parse(to))).toBe(false)
})

test('its numbers may change while it runs, and while something is to be released', () => {
  expect(isMoving({ state: 'running', releasing: 0 })).toBe(true)
  expect(isMoving({ state: 'cancelled', releasing: 2 })).toBe(true)
  expect(isMoving({ state: 'completed', releasing: 0 })).toBe(false)
})
