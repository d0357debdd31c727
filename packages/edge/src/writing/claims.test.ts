import { describe, expect, test } from 'vitest'
import { type Claim, type Claimant, type Claims, sameClaim, winner } from './claims.ts'

const claim = (by: Claimant, value = 1): Claim => ({ by, want: { value } })

describe('of the claims that stand', () => {
  test.each<[Claimant[], Claimant | undefined]>([
    [[], undefined],
    [['deviation'], 'deviation'],
    [['peak-shaving'], 'peak-shaving'],
    [['peak-shaving', 'deviation'], 'peak-shaving'],
    [['demand-response'], 'demand-response'],
    [['demand-response', 'deviation'], 'demand-response'],
    [['demand-response', 'peak-shaving'], 'demand-response'],
    [['demand-response', 'peak-shaving', 'deviation'], 'demand-response'],
  ])('%j: %s rules', (standing, ruling) => {
    for (const order of [standing, standing.toReversed()]) {
      const claims: Claims = Object.fromEntries(order.map((by) => [by, claim(by)]))
      expect(winner(claims)?.by).toBe(ruling)
    }
  })
})

describe('two claims are the same', () => {
  test.each<[string, Claim | undefined, Claim | undefined, boolean]>([
    ['none and none', undefined, undefined, true],
    ['one and none', claim('deviation'), undefined, false],
    ['the same value', claim('deviation'), claim('deviation'), true],
    ['another value', claim('deviation', 1), claim('deviation', 2), false],
    ['the same value of another claimant', claim('deviation'), claim('peak-shaving'), false],
    [
      'the same value of another override',
      { ...claim('demand-response'), overrideId: 'a' },
      { ...claim('demand-response'), overrideId: 'b' },
      false,
    ],
    ['a value and an offset', claim('deviation'), { by: 'deviation', want: { offset: 1 } }, false],
    ['two offsets', { by: 'deviation', want: { offset: 1 } }, { by: 'deviation', want: { offset: 1 } }, true],
    ['two other offsets', { by: 'deviation', want: { offset: 1 } }, { by: 'deviation', want: { offset: 2 } }, false],
  ])('%s', (_, a, b, same) => {
    expect([sameClaim(a, b), sameClaim(b, a)]).toEqual([same, same])
  })
})
