import { describe, expect, test } from 'vitest'
import type { DeviceBus } from '../broker/index.ts'
import type { DeviceLink } from '../devices/index.ts'
import { requireReachable } from './broker.ts'

const check = (problem: string | undefined, isComplete: boolean) => () =>
  requireReachable({ problem } as DeviceBus, { isComplete } as DeviceLink)

describe('the broker is ready', () => {
  test('once it is connected and every device has been looked at', () => {
    expect(check(undefined, true)).not.toThrow()
  })

  test.each([
    ['not connected', 'not connected', true],
    ['asking which devices are online', undefined, false],
  ])('not while %s', (message, problem, isComplete) => {
    expect(check(problem, isComplete)).toThrow(message)
  })
})
