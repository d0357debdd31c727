import type { OutputTest } from '@plantroom/contract/api'
import { describe, expect, test } from 'vitest'
import { describeJudgement, describeResult, readingsOf, stageOf } from './describe-test.ts'

const START = Date.UTC(2026, 0, 1)
const part = (value: number, meter: number) => ({ value, meter, spread: 0, readings: 5 })
const RESULT: NonNullable<OutputTest['result']> = {
  ...{ at: '2026-01-01T00:01:00.000Z', reason: 'ended', meterId: 'dp_grid', taken: true },
  ...{ before: part(0, 20), held: part(5, 25), after: part(0, 20) },
}
const aTest = (about: Partial<OutputTest> = {}): OutputTest => ({
  ...{ id: 'ovr_1', datapoint: { id: 'dp_battery', name: 'Battery' }, meter: { id: 'dp_grid', name: 'Grid' } },
  ...{ value: 5, seconds: 30, startedAt: new Date(START).toISOString(), by: null, result: RESULT },
  ...{ judgement: { verdict: 'follows', meterKw: 5, expectedKw: 5, otherKw: 0 } },
  ...{ moved: null, note: null, answeredAt: null },
  ...about,
})

describe('a test of an output', () => {
  test.each([
    [0, { stage: 'held', leftS: 30 }],
    [29_500, { stage: 'held', leftS: 1 }],
    [30_000, { stage: 'reading', leftS: 0 }],
    [211_000, { stage: 'unknown', leftS: 0 }],
  ])('after %i ms without a result is at %o', (ms, stage) => {
    expect(stageOf(aTest({ result: null }), START + ms)).toEqual(stage)
  })

  test('with a result is done', () => {
    expect(stageOf(aTest(), START)).toEqual({ stage: 'done', leftS: 0 })
  })

  test.each<[string, Partial<NonNullable<OutputTest['result']>>, string[]]>([
    ['that went well', {}, ['The output is back at 0\u00A0kW.']],
    ['that is not back', { after: part(5, 25) }, ['After the test, the output showed 5\u00A0kW. Check the equipment.']],
    [
      'that the equipment ignored, and a person stopped',
      { taken: false, reason: 'cancelled' },
      [
        'The test was stopped.',
        'The equipment did not take the value: no reading showed 5\u00A0kW.',
        'The output is back at 0\u00A0kW.',
      ],
    ],
    ['that gave way', { reason: 'superseded', after: null }, ['Another writer took the output over during the test.']],
  ])('%s says so', (_what, about, lines) => {
    expect(describeResult(aTest({ result: { ...RESULT, ...about } }), 'kW').map(({ text }) => text)).toEqual(lines)
  })

  test('says what its meter did, and what to do about it', () => {
    const judged = (judgement: OutputTest['judgement']) => describeJudgement(aTest({ judgement }))
    const kw = { meterKw: -4.8, expectedKw: 5, otherKw: 0.4 }
    expect(judged({ verdict: 'follows', ...kw, meterKw: 4.8 })).toMatch(/^Grid follows: it moved by 4.8 kW where 5 kW/)
    expect(judged({ verdict: 'opposite', ...kw })).toMatch(/^Grid moves the other way: by -4.8 kW .* Turn its sign/)
    expect(judged({ verdict: 'scale', ...kw })).toContain('Check the scalers and units of Grid and Battery')
    expect(judged({ verdict: 'unclear', ...kw })).toContain('other loads moved it by 0.4 kW')
    expect(judged({ verdict: 'unclear', ...kw, otherKw: null })).toContain('was not read before, during and after')
    expect(judged(null)).toBeUndefined()
  })

  test('lists its readings', () => {
    expect([readingsOf(aTest(), 'value', 'kW'), readingsOf(aTest({ result: null }), 'meter')]).toEqual([
      '0\u00A0kW → 5\u00A0kW → 0\u00A0kW',
      'No result',
    ])
  })
})
