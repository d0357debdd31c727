import type { OutputTest } from '@plantroom/contract/api'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../command.ts'
import { device } from './device.ts'
import { describeTest } from './device-test.ts'

const part = (value: number, meter: number) => ({ value, meter, spread: 0, readings: 5 })
const TEST: OutputTest = {
  ...{ id: 'ovr_1', datapoint: { id: 'dp_1', name: 'Battery' }, meter: { id: 'dp_2', name: 'Grid' }, value: 5 },
  ...{ seconds: 30, startedAt: '2026-01-01T00:00:00.000Z', by: null, moved: true, note: null, answeredAt: null },
  result: {
    ...{ at: '2026-01-01T00:01:00.000Z', reason: 'ended', meterId: 'dp_2', taken: true },
    ...{ before: part(0, 20), held: part(5, 24.8), after: part(0, 20) },
  },
  judgement: { verdict: 'follows', meterKw: 4.8, expectedKw: 5, otherKw: 0 },
}
const UNITS = new Map([['dp_1', 'kW']])

describe('plantroom device test', () => {
  test.each([
    [['dev', 'Battery'], 'VALUE is missing'],
    [['dev', 'Battery', 'much'], 'VALUE much is not a number'],
    [['dev', 'Battery', '5', '--for', '2m'], '--for 2m must be from 5s to 60s'],
    [['dev', 'Battery', '5', '--for', '1s'], '--for 1s must be from 5s to 60s'],
    [['dev', 'Battery', '5', '--moved', 'maybe'], '--moved must be one of yes, no'],
    [['dev', 'Battery', '5', '--note', 'hum'], '--note needs --moved yes|no'],
  ])('%j is a usage error, reported before anything is sent', async (args, message) => {
    const error = await device.run(['test', ...args]).catch((caught) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })

  test('says what was read, what the meter did, and what the person saw', () => {
    expect(describeTest(TEST, UNITS).split('\n')).toEqual([
      'Battery: 0 kW, 5 kW, 0 kW (before, during, after)',
      'Grid: 20, 24.8, 20 (before, during, after)',
      'the meter follows: Grid moved by 4.8 kW where 5 kW were expected',
      'moved: yes',
    ])
  })

  test.each([
    ['opposite', 'the meter moves the other way: Grid moved by 4.8 kW where 5 kW were expected; turn its sign'],
    ['scale', 'check the scalers and units of Grid and Battery'],
    [
      'unclear',
      'did not move enough to tell: Grid moved by 4.8 kW where 5 kW were expected, while other loads moved it by 0 kW',
    ],
  ] as const)('says what to do when the verdict is %s', (verdict, line) => {
    const judgement = { verdict, meterKw: 4.8, expectedKw: 5, otherKw: 0 }
    expect(describeTest({ ...TEST, judgement }, UNITS)).toContain(line)
  })

  test('says when there is no result, or another writer took over', () => {
    expect(describeTest({ ...TEST, result: null }, UNITS)).toMatch(
      /^no result of Battery: the controller was restarted/,
    )
    const result = TEST.result && { ...TEST.result, taken: false, after: null }
    expect(describeTest({ ...TEST, result }, UNITS)).toContain('another writer took the output over during the test')
  })
})
