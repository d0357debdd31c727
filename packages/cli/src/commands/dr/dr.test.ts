import { createManualClock } from '@plantroom/testkit/manual-clock'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { UsageError } from '../../command.ts'
import { dr, watch } from './dr.ts'

describe('plantroom dr', () => {
  test.each([
    [['override'], 'DATAPOINT is missing'],
    [['override', 'Charge power', '--for', '15m'], 'VALUE is missing'],
    [['override', 'Charge power', '-20', '5', '--for', '15m'], 'unexpected argument 5'],
    [['override', 'Charge power', '-20kW', '--for', '15m'], 'VALUE -20kW is not a number'],
    [['override', 'Charge power', '-20'], 'give a duration: --for DURATION or --to TIME'],
    [['override', 'Charge power', '-20', '--for', '-15m'], '--for -15m is not a duration'],
    [['override', 'Charge power', '-20', '--for', '15m', '--req-id', 'again'], '--req-id again is not a UUID'],
    [['cancel'], 'OVERRIDE is missing'],
    [['cancel', 'ovr_1', '--req-id', ''], '--req-id  is not a UUID'],
    [['list', '--all', '--device', 'dev_1'], 'give only one: --all or --device DEVICE'],
    [['lsit'], 'unknown subcommand lsit (did you mean list?); use points'],
    [['release', 'ovr_1'], 'unknown subcommand release; use points, values, watch, override, list or cancel'],
  ])('%j is a usage error, reported before anything is sent', async (args, message) => {
    const error = await dr.run(args).catch((caught) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })
})

let errors: MockInstance<typeof console.error>
beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => errors.mockRestore())

describe('watching', () => {
  test('shows the values immediately and then at each interval, as many times as requested', async () => {
    const clock = createManualClock(0)
    const shown: number[] = []
    const watched = watch({ everySeconds: 2, count: 3, clock, show: async () => void shown.push(clock.now()) })
    await clock.advance(10_000)
    await watched
    expect(shown).toEqual([0, 2000, 4000])
  })

  test('prints a failure and continues, because devices come back', async () => {
    const clock = createManualClock()
    let times = 0
    const show = async () => {
      times += 1
      if (times === 1) throw new Error('the device is offline')
    }
    const watched = watch({ everySeconds: 1, count: 2, clock, show })
    await clock.advance(1000)
    await watched
    expect(times).toBe(2)
    expect(errors.mock.calls).toEqual([['plantroom: the device is offline']])
  })

  test('fails if the last attempt fails', async () => {
    const show = () => Promise.reject(new Error('the device is offline'))
    await expect(watch({ everySeconds: 1, count: 1, clock: createManualClock(), show })).rejects.toThrow('offline')
    expect(errors).not.toHaveBeenCalled()
  })
})
