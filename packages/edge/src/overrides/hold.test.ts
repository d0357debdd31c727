import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import type { Claim, Claims } from '../writing/claims.ts'
import { type Control, FREE } from '../writing/control.ts'
import { holdOf } from './hold.ts'
import type { Outlook } from './outlook.ts'

const SIX = Date.UTC(2030, 0, 1, 18)

const window = (id: string, value: number) => ({
  ...{ id, value, seq: 1, datapointId: 'power', from: 0, to: SIX, reqId: 'req', placedBy: 'key_1' },
})
const DEMAND: Claim = { by: 'demand-response', want: { value: 20 }, overrideId: 'ovr_1' }
const SHED: Claim = { by: 'peak-shaving', want: { value: 5 } }
const SLOT: Claim = { by: 'deviation', want: { value: 18 } }
const OFFSET: Claim = { by: 'deviation', want: { offset: -2 } }
const ALONE: Outlook = { ruling: window('ovr_1', 20), until: SIX, next: undefined }

/** Held by the first of these claims. */
function heldBy(claim: Claim, ...others: Claim[]): Control {
  const claims: Claims = Object.fromEntries([claim, ...others].map((one) => [one.by, one]))
  return { ...FREE, claims, holder: { claim, valueBefore: null } }
}

const holdWith = (control: Control, outlook: Outlook | undefined = undefined, plain: number | string | null = 21.5) =>
  holdOf({ datapointId: 'power', control, trouble: undefined }, { plain, outlook })

describe('a datapoint that a window holds', () => {
  test('goes back to its plain value when nobody else wants anything of it', () => {
    expect(holdWith(heldBy(DEMAND), ALONE)).toEqual({
      datapointId: 'power',
      by: 'demand-response',
      value: 20,
      overrideId: 'ovr_1',
      until: formatTimestamp(SIX),
      next: { by: 'plain', value: 21.5 },
      beneath: { by: 'plain', value: 21.5 },
      trouble: null,
      troubleReason: null,
    })
  })

  test.each([
    ['peak shaving', [SHED, OFFSET], { by: 'peak-shaving', value: 5 }],
    ['a schedule', [SLOT], { by: 'deviation', value: 18 }],
    ['a schedule that adds to the plain value', [OFFSET], { by: 'deviation', value: 19.5 }],
  ] as const)('goes to %s that stands beneath', (_who, others, next) => {
    expect(holdWith(heldBy(DEMAND, ...others), ALONE)).toMatchObject({ value: 20, next })
  })

  test('goes to the next window before anybody else', () => {
    const next = window('ovr_2', 30)
    expect(holdWith(heldBy(DEMAND, SHED), { ...ALONE, next })).toMatchObject({
      next: { by: 'demand-response', value: 30 },
      beneath: { by: 'peak-shaving', value: 5 },
    })
  })

  test('is told by the window that rules, also where its setpoint is that of an earlier one', () => {
    expect(holdWith(heldBy(DEMAND), { ...ALONE, ruling: window('ovr_9', 20) }).overrideId).toBe('ovr_9')
  })

  test('goes back to what nobody knows', () => {
    expect(holdWith(heldBy(DEMAND), ALONE, null)).toMatchObject({ value: 20, next: { by: 'plain', value: null } })
    expect(holdWith(heldBy(DEMAND, OFFSET), ALONE, null).next).toEqual({ by: 'deviation', value: null })
  })

  test('goes back to all digits of a large counter', () => {
    expect(holdWith(heldBy(DEMAND), ALONE, '18446744073709551557').next.value).toBe('18446744073709551557')
  })
})

describe('a datapoint that local optimisation holds', () => {
  test.each([
    ['peak-shaving', heldBy(SHED), 5, { by: 'plain', value: 21.5 }],
    ['peak-shaving', heldBy(SHED, OFFSET), 5, { by: 'deviation', value: 19.5 }],
    ['deviation', heldBy(SLOT), 18, { by: 'plain', value: 21.5 }],
    ['deviation', heldBy(OFFSET), 19.5, { by: 'plain', value: 21.5 }],
  ] as const)('is of no window and has no end: %s', (by, control, value, next) => {
    expect(holdWith(control)).toMatchObject({ by, value, overrideId: null, until: null, next })
  })

  test('at an offset to what nobody knows is at what nobody knows', () => {
    expect(holdWith(heldBy(OFFSET), undefined, null)).toMatchObject({ by: 'deviation', value: null })
  })
})

describe('a datapoint that is being handed back', () => {
  const reason = 'ended' as const
  const control: Control = { ...FREE, handingBack: { holder: { claim: DEMAND, valueBefore: 21.5 }, reason } }

  test('is nobody’s, and goes to its plain value', () => {
    const plain = { by: 'plain', value: 21.5 } as const
    expect(holdWith(control)).toMatchObject({ ...plain, overrideId: null, until: null, next: plain })
  })

  test('says what the equipment does not do', () => {
    const holding = {
      datapointId: 'power',
      control,
      trouble: { trouble: 'write-failed' as const, reason: 'no answer' },
    }
    expect(holdOf(holding, { plain: 1, outlook: undefined })).toMatchObject({
      trouble: 'write-failed',
      troubleReason: 'no answer',
    })
  })
})
