import { describe, expect, test } from 'vitest'
import { checkWindow, MAX_OVERRIDES, MAX_WINDOW_MS, type RequestedWindow } from './check-window.ts'

const NOW = Date.UTC(2030, 0, 1)
const check = (about: Partial<RequestedWindow>) => () =>
  checkWindow({ from: NOW, to: NOW + 1000, now: NOW, clockSuspect: false, placed: 0, ...about })

describe('a window is accepted', () => {
  test.each([
    ['that includes now', {}],
    ['that started in the past', { from: NOW - 1_000_000 }],
    ['that starts years from now', { from: NOW * 2, to: NOW * 2 + 1 }],
    ['of exactly 24 hours', { to: NOW + MAX_WINDOW_MS }],
    ['that is almost over', { from: NOW - 1, to: NOW + 1 }],
    ['as the last one that fits', { placed: MAX_OVERRIDES - 1 }],
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
      'the window is 24.01 hours long; a window is at most 24 hours',
    ],
    [
      'while the clock is suspect',
      { clockSuspect: true },
      "the controller's clock is wrong: it is behind what it has already seen, or differs from the cloud's",
    ],
    ['beyond the maximum', { placed: MAX_OVERRIDES }, 'the device already has 10000 overrides, the maximum'],
  ])('%s', (_, about, message) => {
    expect(check(about)).toThrow(
      expect.objectContaining({ kind: 'rejected', message: expect.stringContaining(message) }),
    )
  })
})
