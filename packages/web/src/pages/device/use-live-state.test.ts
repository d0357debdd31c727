import { describe, expect, test } from 'vitest'
import { minutes, NOW } from './testing/examples.ts'
import { deviceNow } from './use-live-state.ts'

describe('the clock of the controller', () => {
  test('advances from its last reading, even if the clock of the browser is wrong', () => {
    const wrong = Date.parse('2031-01-01T00:00:00Z')
    expect(deviceNow({ at: minutes(0) }, wrong, wrong + 1500)).toBe(NOW + 1500)
    expect(deviceNow({ at: minutes(0) }, wrong, wrong - 60_000)).toBe(NOW)
  })

  test('falls back to the clock of the browser before the first reading', () => {
    expect(deviceNow(undefined, 0, NOW)).toBe(NOW)
  })
})
