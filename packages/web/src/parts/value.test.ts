import { expect, test } from 'vitest'
import { bytes, capitalized, counted, shownValue } from './value.ts'

test('a value is shown with at most three decimals, and as it is where it is text', () => {
  expect([21.5, 0.12345, -3, null, undefined, '9007199254740993'].map(shownValue)).toEqual([
    '21.5',
    '0.123',
    '-3',
    '–',
    '–',
    '9007199254740993',
  ])
})

test('a count says of what', () => {
  expect([counted(0, 'request'), counted(1, 'request'), counted(50_000, 'request')]).toEqual([
    '0 requests',
    '1 request',
    '50,000 requests',
  ])
  expect(counted(2, 'person', 'people')).toBe('2 people')
})

test('what the service says begins as a sentence does', () => {
  expect(capitalized('the device is offline')).toBe('The device is offline')
  expect(capitalized('')).toBe('')
})

test('a size is in the unit that fits', () => {
  expect([0, 999, 1200, 250_000, 2_000_000_000].map(bytes)).toEqual(['0 B', '999 B', '1.2 kB', '250 kB', '2.0 GB'])
})
