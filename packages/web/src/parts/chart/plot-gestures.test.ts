import { describe, expect, test } from 'vitest'
import { afterFingers, afterKey } from './plot-gestures.ts'

const HOUR = 3_600_000
const now = 100 * HOUR
const view = { from: 80 * HOUR, to: 90 * HOUR }

describe('keys', () => {
  test('move, zoom and reset', () => {
    expect(afterKey('ArrowLeft', view, now)).toEqual({ from: 79 * HOUR, to: 89 * HOUR })
    expect(afterKey('ArrowRight', view, now)).toEqual({ from: 81 * HOUR, to: 91 * HOUR })
    expect(afterKey('+', view, now)).toEqual({ from: 81.5 * HOUR, to: 88.5 * HOUR })
    expect(afterKey('0', view, now)).toBe('reset')
  })

  test('that mean nothing here are left to the page', () => {
    expect(['ArrowDown', 'Tab', 'PageUp', 'a', ' '].map((key) => afterKey(key, view, now))).toEqual(
      new Array(5).fill(undefined),
    )
  })
})

describe('fingers', () => {
  test('take the time with them', () => {
    expect(afterFingers(view, [0.2], [0.4], now)).toEqual({ from: 78 * HOUR, to: 88 * HOUR })
  })

  test('spread to zoom in around their middle', () => {
    expect(afterFingers(view, [0.4, 0.6], [0.3, 0.7], now)).toEqual({ from: 82.5 * HOUR, to: 87.5 * HOUR })
    const out = afterFingers(view, [0.3, 0.7], [0.4, 0.6], now)
    expect(out.to - out.from).toBe(20 * HOUR)
  })

  test('on the same spot do not zoom without end', () => {
    const { from, to } = afterFingers(view, [0.5, 0.5], [0.5, 0.5], now)
    expect(to - from).toBe(10 * HOUR)
  })
})
