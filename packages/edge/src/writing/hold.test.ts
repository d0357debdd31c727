import type { HoldingWriter } from '@plantroom/contract/writers'
import { describe, expect, test } from 'vitest'
import type { PendingEntry } from '../reports/audit.ts'
import { type Claim, type Claims, decide, FREE, type Hold, highestClaim, sameClaim } from './hold.ts'
import { fromDocument, toDocument } from './hold-document.ts'

const claimBy = (by: HoldingWriter, value = 1): Claim => ({ by, want: { value } })
const override: Claim = { by: 'demand-response', want: { value: 20 }, overrideId: 'ovr_1', reqId: 'req' }
const schedule: Claim = { by: 'deviation', want: { offset: 2 } }

describe('the highest claim', () => {
  test.each<[HoldingWriter[], HoldingWriter | undefined]>([
    [[], undefined],
    [['deviation'], 'deviation'],
    [['peak-shaving'], 'peak-shaving'],
    [['peak-shaving', 'deviation'], 'peak-shaving'],
    [['demand-response'], 'demand-response'],
    [['demand-response', 'deviation'], 'demand-response'],
    [['demand-response', 'peak-shaving'], 'demand-response'],
    [['demand-response', 'peak-shaving', 'deviation'], 'demand-response'],
  ])('of %j is that of %s', (writers, highest) => {
    for (const order of [writers, writers.toReversed()]) {
      const claims: Claims = Object.fromEntries(order.map((by) => [by, claimBy(by)]))
      expect(highestClaim(claims)?.by).toBe(highest)
    }
  })
})

describe('comparing claims', () => {
  test.each<[string, Claim | undefined, Claim | undefined, boolean]>([
    ['no claim and no claim', undefined, undefined, true],
    ['a claim and no claim', claimBy('deviation'), undefined, false],
    ['the same value', claimBy('deviation'), claimBy('deviation'), true],
    ['another value', claimBy('deviation', 1), claimBy('deviation', 2), false],
    ['the same value by another writer', claimBy('deviation'), claimBy('peak-shaving'), false],
    [
      'the same value of another override',
      { ...claimBy('demand-response'), overrideId: 'a' },
      { ...claimBy('demand-response'), overrideId: 'b' },
      false,
    ],
    ['a value and an offset', claimBy('deviation'), { by: 'deviation', want: { offset: 1 } }, false],
    ['equal offsets', { by: 'deviation', want: { offset: 1 } }, { by: 'deviation', want: { offset: 1 } }, true],
    ['different offsets', { by: 'deviation', want: { offset: 1 } }, { by: 'deviation', want: { offset: 2 } }, false],
  ])('%s', (_, a, b, same) => {
    expect([sameClaim(a, b), sameClaim(b, a)]).toEqual([same, same])
  })
})

describe('a decision', () => {
  test('lets the first claim hold a free datapoint', () => {
    expect(decide(FREE, 'deviation', schedule)).toEqual({
      claims: { deviation: schedule },
      change: { released: undefined, applied: schedule },
    })
  })

  test('keeps the holder when a lower claim comes or goes', () => {
    const held = { ...FREE, claims: { 'demand-response': override }, holder: { claim: override, valueBefore: 1 } }
    const { claims, change } = decide(held, 'deviation', schedule)
    expect(change).toBeUndefined()
    expect(claims).toEqual({ 'demand-response': override, deviation: schedule })
    expect(decide({ ...held, claims }, 'deviation', undefined)).toEqual({ claims: held.claims, change: undefined })
  })

  test('lets the next claim hold when the highest is withdrawn', () => {
    const holder = { claim: override, valueBefore: 1 }
    const held = { ...FREE, claims: { 'demand-response': override, deviation: schedule }, holder }
    expect(decide(held, 'demand-response', undefined).change).toEqual({ released: holder, applied: schedule })
  })

  test('changes nothing when a missing claim is withdrawn', () => {
    expect(decide(FREE, 'peak-shaving', undefined)).toEqual({ claims: {}, change: undefined })
  })
})

describe('a hold in the journal', () => {
  const entry = { id: 'rep_7' } as PendingEntry
  const stored: [string, Hold][] = [
    ['a free datapoint', FREE],
    [
      'a held datapoint',
      {
        ...FREE,
        claims: { 'demand-response': override, deviation: schedule },
        holder: { claim: override, valueBefore: null },
        plain: { raw: -1.5 },
        unsettled: [entry],
        reported: ['write-failed'],
      },
    ],
    ['an unknown plain value', { ...FREE, plain: { raw: null } }],
    ['a plain value that is not a number', { ...FREE, plain: { raw: null, image: '7fc00001' } }],
    ['a plain value with unused bits', { ...FREE, plain: { raw: 1, image: '0102' } }],
    ['a 64-bit plain value', { ...FREE, plain: { raw: 18_446_744_073_709_551_615n } }],
    ['a sent release', { ...FREE, sent: { value: { raw: 2n ** 60n }, isAcknowledged: true } }],
    ['a sent image', { ...FREE, sent: { value: { raw: null, image: '7fc00001' }, isAcknowledged: false } }],
    ['a negative 64-bit plain value', { ...FREE, plain: { raw: -9_223_372_036_854_775_808n } }],
    [
      'a datapoint that is being released',
      {
        ...FREE,
        plain: { raw: 0 },
        releasing: { holder: { claim: override, valueBefore: '9007199254740993' }, reason: 'cancelled' },
      },
    ],
  ]
  test.each(stored)('%s survives the round trip', (_, hold) => {
    const text = JSON.stringify(toDocument(hold))
    expect(fromDocument(JSON.parse(text))).toEqual(hold)
  })

  test('keeps the field names of released versions', () => {
    const releasing = { holder: { claim: override, valueBefore: 1 }, reason: 'ended' as const }
    const document = toDocument({ ...FREE, plain: { raw: 0 }, releasing, reported: ['not-taken'] })
    expect(document).toMatchObject({ handingBack: releasing, told: ['not-taken'] })
  })

  test('loads without the entries that an earlier version stored elsewhere', () => {
    const document = JSON.parse(JSON.stringify({ ...toDocument(FREE), unsettled: [7, 8] }))
    expect(fromDocument(document).unsettled).toEqual([])
  })
})
