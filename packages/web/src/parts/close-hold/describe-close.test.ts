import { HOLD_STATES } from '@plantroom/contract/control-state'
import { describe, expect, test } from 'vitest'
import { aHold, NOW } from '../testing/holds.ts'
import { canClose, describeLastRead, describeNotRestored } from './describe-close.ts'

describe('a hold that a person may close', () => {
  test.each(HOLD_STATES)('in the state %s', (state) => {
    expect(canClose(aHold({ state, trouble: 'write-failed' }))).toBe(state === 'releasing' || state === 'stuck')
    expect(canClose(aHold({ state, trouble: null }))).toBe(state === 'stuck')
  })

  test('is described with what the controller could not do', () => {
    const say = (value: number | null) => describeNotRestored({ name: 'Flow', unit: '°C', hold: aHold({ value }) })
    expect(say(21)).toBe('The controller could not set Flow back to 21\u00A0°C.')
    expect(say(null)).toBe('The controller cannot restore Flow: its value from before is unknown.')
  })

  test('shows what was read last, with its age by the clock of the controller and its time by that of the service', () => {
    const actual = { value: 18, timestamp: new Date(NOW).toISOString(), locked: false, lockedBy: null } as never
    // The clock of the controller is an hour behind.
    const when = { timeZone: 'UTC', now: NOW + 3_600_000 + 5000, controllerNow: NOW + 5000 }
    const target = { unit: '°C', isWriteOnly: false, actual }
    expect(describeLastRead(target, when)).toBe('Last read: 18\u00A0°C, 5 s ago (13:00:00 UTC).')
    expect(describeLastRead({ ...target, actual: undefined }, when)).toBe('The controller has not read this datapoint.')
    expect(describeLastRead({ ...target, isWriteOnly: true }, when)).toMatch(/^This datapoint is write only/)
  })
})
