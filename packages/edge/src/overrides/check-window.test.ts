import { describe, expect, test } from 'vitest'
import { checkWindow, DEFAULT_QUOTAS, MAX_WINDOW_MS, type RequestedWindow } from './check-window.ts'

const NOW = Date.UTC(2030, 0, 1)
const DAY = 24 * 3_600_000
const some = (count: number, nextEnd?: number) => ({ count, nextEnd: () => nextEnd })
const NONE = { quotas: DEFAULT_QUOTAS, inAll: some(0), ofCaller: some(0) }
const check = (about: Partial<RequestedWindow>) => () =>
  checkWindow({ from: NOW, to: NOW + 1000, now: NOW, clockSuspect: false, ...NONE, ...about })

describe('a window is accepted', () => {
  test.each([
    ['that includes now', {}],
    ['that started in the past', { from: NOW - 1_000_000 }],
    ['that starts 366 days from now', { from: NOW + 366 * DAY, to: NOW + 366 * DAY + 1 }],
    ['of exactly 24 hours', { to: NOW + MAX_WINDOW_MS }],
    ['that is almost over', { from: NOW - 1, to: NOW + 1 }],
    ['as the last one that fits', { inAll: some(9_999), ofCaller: some(999) }],
  ])('%s', (_, about) => {
    expect(check(about)).not.toThrow()
  })
})

describe('a window is rejected with the reason', () => {
  test.each([
    ['that ends at its start', { to: NOW }, 'to 2030-01-01T00:00:00.000Z is not after from 2030-01-01T00:00:00.000Z'],
    ['that ends before its start', { to: NOW - 1 }, 'is not after from'],
    [
      'that ends now',
      { from: NOW - 1000, to: NOW },
      'to 2030-01-01T00:00:00.000Z is in the past; it is 2030-01-01T00:00:00.000Z on the device',
    ],
    [
      'longer than 24 hours',
      { to: NOW + MAX_WINDOW_MS + 36_000 },
      'the window is 24 h 0 min 36 s long; a window is at most 24 hours',
    ],
    ['longer by a second', { to: NOW + MAX_WINDOW_MS + 1_000 }, 'the window is 24 h 0 min 1 s long'],
    ['longer by a millisecond', { to: NOW + MAX_WINDOW_MS + 1 }, 'the window is 24 h 0 min 0.001 s long'],
    ['of days', { to: NOW + 61 * 3_600_000 + 59 * 60_000 }, 'the window is 61 h 59 min 0 s long'],
    [
      'while the time is unknown',
      { clockSuspect: true },
      "the controller's clock is wrong, and the cloud has not sent it the time yet",
    ],
    [
      'beyond the maximum of the device',
      { inAll: some(10_000, NOW + 5000) },
      'the device already has 10000 overrides, and the maximum for all callers is 10000; cancel some, or send the command again at 2030-01-01T00:00:05.000Z, when the next one ends',
    ],
    [
      'beyond the maximum of its caller',
      { inAll: some(10_000), ofCaller: some(1_000, NOW + 7000) },
      'you already have 1000 overrides on this device, and the maximum for one caller is 1000; cancel some, or send the command again at 2030-01-01T00:00:07.000Z, when the next one ends',
    ],
    [
      'beyond the maximum, before any end is known',
      { inAll: some(10_000) },
      'send the command again when some have ended',
    ],
    [
      'too far ahead',
      { from: NOW + 366 * DAY + 1000, to: NOW + 366 * DAY + 2000 },
      'from 2031-01-02T00:00:01.000Z is more than 366 days ahead, the maximum of this device; send the command again at 2030-01-01T00:00:01.000Z',
    ],
  ])('%s', (_, about, message) => {
    expect(check(about)).toThrow(
      expect.objectContaining({ kind: 'rejected', message: expect.stringContaining(message) }),
    )
  })
})
