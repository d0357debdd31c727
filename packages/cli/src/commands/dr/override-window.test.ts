import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { describeAccepted, formatDuration, windowOf } from './override-window.ts'

const NOW = Date.UTC(2030, 0, 1, 12)
const MINUTE = 60_000

describe('the window of an override', () => {
  test('starts now and lasts for the given duration', () => {
    expect(windowOf({ for: '15m' }, NOW)).toEqual({ from: NOW, to: NOW + 15 * MINUTE })
  })

  test('starts now and ends at the given time', () => {
    expect(windowOf({ to: '2030-01-01T13:30:00+01:00' }, NOW)).toEqual({ from: NOW, to: NOW + 30 * MINUTE })
  })

  test('starts at the given time', () => {
    const from = '2030-01-01T12:10:00Z'
    const started = { from: NOW + 10 * MINUTE, to: NOW + 15 * MINUTE }
    expect(windowOf({ from, for: '5m' }, NOW)).toEqual(started)
    expect(windowOf({ from, to: '2030-01-01T12:15:00Z' }, NOW)).toEqual(started)
  })

  test('is not validated here, because the device does that', () => {
    expect(windowOf({ to: '2029-01-01T00:00:00Z' }, NOW).to).toBeLessThan(NOW)
    expect(windowOf({ for: '25h' }, NOW).to).toBe(NOW + 25 * 60 * MINUTE)
  })

  test.each([
    [{}, 'give a duration: --for DURATION or --to TIME'],
    [{ for: '15m', to: '2030-01-01T13:00:00Z' }, 'give only one: --for DURATION or --to TIME'],
    [{ for: '15' }, '--for 15 is not a duration'],
    [{ to: '13:00' }, '--to 13:00 is not a time'],
    [{ for: '15m', from: 'now' }, '--from now is not a time'],
    [{ for: '' }, '--for  is not a duration'],
  ])('of %j is a usage error', (flags, message) => {
    expect(() => windowOf(flags, NOW)).toThrow(UsageError)
    expect(() => windowOf(flags, NOW)).toThrow(message)
  })

  test('that has started is described with its end and remaining time', () => {
    const window = { from: NOW - 5 * MINUTE, to: NOW + 10 * MINUTE }
    expect(describeAccepted('ovr_1', { ...window, from: NOW }, NOW)).toBe(
      'override ovr_1 is active until 2030-01-01T12:10:00.000Z (10 min)',
    )
    expect(describeAccepted('ovr_1', window, NOW)).toBe(
      'override ovr_1 is active until 2030-01-01T12:10:00.000Z (10 min)',
    )
  })

  test('that has not started is described as queued', () => {
    expect(describeAccepted('ovr_1', { from: NOW + MINUTE, to: NOW + 3 * MINUTE }, NOW)).toBe(
      'override ovr_1 is queued from 2030-01-01T12:01:00.000Z until 2030-01-01T12:03:00.000Z (2 min)',
    )
  })
})

describe('a formatted duration', () => {
  test.each([
    [900_000, '15 min'],
    [90_000, '1 min 30 s'],
    [7_200_000, '2 h'],
    [5_400_000, '1 h 30 min'],
    [86_400_000, '24 h'],
    [499, '0 s'],
    [-5000, '0 s'],
  ])('of %d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})
