import { describe, expect, test } from 'vitest'
import type { PendingEntry } from '../reports/audit.ts'
import type { Claim } from './claims.ts'
import { type Control, decide, FREE, fromDocument, toDocument } from './control.ts'

const override: Claim = { by: 'demand-response', want: { value: 20 }, overrideId: 'ovr_1', reqId: 'req' }
const schedule: Claim = { by: 'deviation', want: { offset: 2 } }

describe('a decision', () => {
  test('on a free datapoint lets the first claim rule', () => {
    expect(decide(FREE, 'deviation', schedule)).toEqual({
      claims: { deviation: schedule },
      change: { released: undefined, applied: schedule },
    })
  })

  test('changes nobody when a lower claim comes or goes', () => {
    const held = { ...FREE, claims: { 'demand-response': override }, holder: { claim: override, valueBefore: 1 } }
    const { claims, change } = decide(held, 'deviation', schedule)
    expect(change).toBeUndefined()
    expect(claims).toEqual({ 'demand-response': override, deviation: schedule })
    expect(decide({ ...held, claims }, 'deviation', undefined)).toEqual({ claims: held.claims, change: undefined })
  })

  test('lets the next claim rule when the highest goes', () => {
    const holder = { claim: override, valueBefore: 1 }
    const held = { ...FREE, claims: { 'demand-response': override, deviation: schedule }, holder }
    expect(decide(held, 'demand-response', undefined).change).toEqual({ released: holder, applied: schedule })
  })

  test('of nothing about nothing is nothing', () => {
    expect(decide(FREE, 'peak-shaving', undefined)).toEqual({ claims: {}, change: undefined })
  })
})

describe('a control in the journal', () => {
  const entry = { id: 'rep_7' } as PendingEntry
  const kept: [string, Control][] = [
    ['free', FREE],
    [
      'held',
      {
        ...FREE,
        claims: { 'demand-response': override, deviation: schedule },
        holder: { claim: override, valueBefore: null },
        plain: { raw: -1.5 },
        unsettled: [entry],
        told: ['write-failed'],
      },
    ],
    ['of unknown plain value', { ...FREE, plain: { raw: null } }],
    ['of a plain value that is not a number', { ...FREE, plain: { raw: null, image: '7fc00001' } }],
    ['of a plain value with unused bits', { ...FREE, plain: { raw: 1, image: '0102' } }],
    ['of 64 bits', { ...FREE, plain: { raw: 18_446_744_073_709_551_615n } }],
    ['of negative 64 bits', { ...FREE, plain: { raw: -9_223_372_036_854_775_808n } }],
    [
      'being handed back',
      {
        ...FREE,
        plain: { raw: 0 },
        handingBack: { holder: { claim: override, valueBefore: '9007199254740993' }, reason: 'cancelled' },
      },
    ],
  ]
  test.each(kept)('%s comes back as it was', (_, control) => {
    const text = JSON.stringify(toDocument(control))
    expect(fromDocument(JSON.parse(text))).toEqual(control)
  })

  test('of an earlier version, which kept its entries elsewhere, comes back without them', () => {
    const document = JSON.parse(JSON.stringify({ ...toDocument(FREE), unsettled: [7, 8] }))
    expect(fromDocument(document).unsettled).toEqual([])
  })
})
