import { describe, expect, test } from 'vitest'
import { UsageError } from '../command.ts'
import { dr } from './dr.ts'

describe('plantroom dr', () => {
  test.each([
    [['override'], 'DATAPOINT is missing'],
    [['override', 'Charge power', '--for', '15m'], 'VALUE is missing'],
    [['override', 'Charge power', '-20', '5', '--for', '15m'], '5 is one argument too many'],
    [['override', 'Charge power', '-20kW', '--for', '15m'], 'VALUE -20kW is not a number'],
    [['override', 'Charge power', '-20'], 'say how long: --for DURATION or --to TIME'],
    [['override', 'Charge power', '-20', '--for', '-15m'], '--for -15m is not a duration'],
    [['override', 'Charge power', '-20', '--for', '15m', '--req-id', 'again'], '--req-id again is not a UUID'],
    [['cancel'], 'ID is missing'],
    [['cancel', 'ovr_1', '--req-id', ''], '--req-id  is not a UUID'],
    [['release', 'ovr_1'], 'say points, values, watch, override or cancel'],
  ])('%j is wrong usage, told before anything is sent', async (args, message) => {
    const error = await dr.run(args).catch((caught) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })
})
