import { ON_OFF } from '@plantroom/contract/units'
import { expect, test } from 'vitest'
import { bytes, capitalized, joinFacts, listed, shownRange, shownValue, valueParts } from './value.ts'

test('shows at most three decimals of a value, and text unchanged', () => {
  expect([21.5, 0.12345, -3, null, undefined, '9007199254740993'].map((value) => shownValue(value))).toEqual([
    '21.5',
    '0.123',
    '-3',
    '–',
    '–',
    '9,007,199,254,740,993',
  ])
})

test('groups digits by thousands, and a zero has no sign', () => {
  expect([1234567.8, -90210, -0.0001, -0].map((value) => shownValue(value))).toEqual([
    '1,234,567.8',
    '-90,210',
    '0',
    '0',
  ])
})

test('shows what a switch is, and a mean of it as a number', () => {
  expect([1, 0, 0.25, null].map((value) => shownValue(value, ON_OFF))).toEqual(['On', 'Off', '0.25', '–'])
  expect(valueParts(1, ON_OFF)).toEqual({ number: 'On', unit: undefined })
})

test('shows the unit of a value, and of a range once', () => {
  expect([shownValue(18, '°C'), shownValue(null, '°C'), shownValue('1', 'kW')]).toEqual([
    '18\u00A0°C',
    '–',
    '1\u00A0kW',
  ])
  expect(shownRange({ min: -50, max: 50 }, 'kW')).toEqual({ min: '-50', max: '50\u00A0kW' })
  expect(shownRange({ min: 5 }, 'kW').min).toBe('5\u00A0kW')
})

test('capitalizes messages of the service', () => {
  expect(capitalized('the device is offline')).toBe('The device is offline')
  expect(capitalized('')).toBe('')
})

test('shows a size in a fitting unit', () => {
  expect([0, 999, 1200, 250_000, 2_000_000_000].map(bytes)).toEqual(['0 B', '999 B', '1.2 kB', '250 kB', '2.0 GB'])
})

test('joins names and facts', () => {
  expect(listed(['Cellar', 'Roof'])).toBe('Cellar and Roof')
  expect(joinFacts(['5 of 10', '', undefined, 'Attempt 2'])).toBe('5 of 10 · Attempt 2')
})
