import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import { type Claim, type Claims, FREE, type Hold } from '../writing/hold.ts'
import { describeHold, type Outlook } from './outlook.ts'

const SIX = Date.UTC(2030, 0, 1, 18)

const anOverride = (id: string, value: number) => ({
  ...{
    id,
    value,
    seq: 1,
    datapointId: 'power',
    from: 0,
    to: SIX,
    reqId: 'req',
    placedBy: 'key_1',
    placedByName: '',
    reason: '',
  },
})
const DEMAND: Claim = { by: 'demand-response', want: { value: 20 }, overrideId: 'ovr_1' }
const SHED: Claim = { by: 'peak-shaving', want: { value: 5 } }
const SLOT: Claim = { by: 'deviation', want: { value: 18 } }
const OFFSET: Claim = { by: 'deviation', want: { offset: -2 } }
const ALONE: Outlook = { active: anOverride('ovr_1', 20), until: SIX, next: undefined }

/** A hold by the first of these claims. */
function heldBy(claim: Claim, ...others: Claim[]): Hold {
  const claims: Claims = Object.fromEntries([claim, ...others].map((one) => [one.by, one]))
  return { ...FREE, claims, holder: { claim, valueBefore: null } }
}

const holdWith = (hold: Hold, outlook: Outlook | undefined = undefined, plain: number | string | null = 21.5) =>
  describeHold({ datapointId: 'power', hold, state: 'holding', trouble: undefined }, { plain, outlook })

describe('a datapoint held by an override', () => {
  test('is next released to its plain value when no other writer claims it', () => {
    expect(holdWith(heldBy(DEMAND), ALONE)).toEqual({
      datapointId: 'power',
      state: 'holding',
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
  ] as const)('next goes to %s', (_who, others, next) => {
    expect(holdWith(heldBy(DEMAND, ...others), ALONE)).toMatchObject({ value: 20, next })
  })

  test('next goes to another override before any other writer', () => {
    const next = anOverride('ovr_2', 30)
    expect(holdWith(heldBy(DEMAND, SHED), { ...ALONE, next })).toMatchObject({
      next: { by: 'demand-response', value: 30 },
      beneath: { by: 'peak-shaving', value: 5 },
    })
  })

  test('names the active override, even if an earlier one has the same setpoint', () => {
    expect(holdWith(heldBy(DEMAND), { ...ALONE, active: anOverride('ovr_9', 20) }).overrideId).toBe('ovr_9')
  })

  test('shows an unknown plain value as null', () => {
    expect(holdWith(heldBy(DEMAND), ALONE, null)).toMatchObject({ value: 20, next: { by: 'plain', value: null } })
    expect(holdWith(heldBy(DEMAND, OFFSET), ALONE, null).next).toEqual({ by: 'deviation', value: null })
  })

  test('shows every digit of a large counter', () => {
    expect(holdWith(heldBy(DEMAND), ALONE, '18446744073709551557').next.value).toBe('18446744073709551557')
  })
})

describe('a datapoint held by local optimisation', () => {
  test.each([
    ['peak-shaving', heldBy(SHED), 5, { by: 'plain', value: 21.5 }],
    ['peak-shaving', heldBy(SHED, OFFSET), 5, { by: 'deviation', value: 19.5 }],
    ['deviation', heldBy(SLOT), 18, { by: 'plain', value: 21.5 }],
    ['deviation', heldBy(OFFSET), 19.5, { by: 'plain', value: 21.5 }],
  ] as const)('has no override and no end: %s', (by, hold, value, next) => {
    expect(holdWith(hold)).toMatchObject({ by, value, overrideId: null, until: null, next })
  })

  test('shows an offset to an unknown plain value as null', () => {
    expect(holdWith(heldBy(OFFSET), undefined, null)).toMatchObject({ by: 'deviation', value: null })
  })
})

describe('a datapoint that is being released', () => {
  const reason = 'ended' as const
  const hold: Hold = { ...FREE, releasing: { holder: { claim: DEMAND, valueBefore: 21.5 }, reason } }

  test('has the plain writer, now and next', () => {
    const plain = { by: 'plain', value: 21.5 } as const
    expect(holdWith(hold)).toMatchObject({ ...plain, overrideId: null, until: null, next: plain })
  })

  test('shows what the equipment fails to do', () => {
    const held = {
      datapointId: 'power',
      hold,
      state: 'writing' as const,
      trouble: { trouble: 'write-failed' as const, reason: 'no answer' },
    }
    expect(describeHold(held, { plain: 1, outlook: undefined })).toMatchObject({
      trouble: 'write-failed',
      troubleReason: 'no answer',
    })
  })
})
