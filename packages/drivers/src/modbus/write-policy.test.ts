import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { type WriteAttempt, WritePolicy } from './write-policy.ts'

const SILENCE = new Failure('offline', 'no answer')
const attempt = (target: string, release = false): WriteAttempt => ({ unitId: 1, target, release })
const A = attempt('holding 10')
const B = attempt('holding 50')
const miss = (now: number, costMs = 100) => ({ reason: SILENCE, costMs, now })

describe('an address', () => {
  test('may be written at any time while writes are answered', () => {
    const policy = new WritePolicy()
    policy.answered(A)
    expect(policy.refusal(A, true, 0)).toBeUndefined()
    expect(policy.patience(A, false)).toBe('full')
  })

  test('is paused for a second after a missing answer, unlike other addresses', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    expect(policy.refusal(A, false, 900)).toBe(SILENCE)
    expect(policy.refusal(B, false, 0)).toBeUndefined()
    expect(policy.refusal(A, false, 1000)).toBeUndefined()
  })

  test.each([
    { costMs: 10, release: false, pauseMs: 950 },
    { costMs: 100, release: false, pauseMs: 2000 },
    { costMs: 100, release: true, pauseMs: 2000 },
    { costMs: 1000, release: true, pauseMs: 5000 },
    { costMs: 1000, release: false, pauseMs: 20_000 },
    { costMs: 9000, release: false, pauseMs: 30_000 },
  ])('is paused in proportion to the cost after a second missing answer: %o', ({ costMs, release, pauseMs }) => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0, costMs))
    policy.missed(A, miss(1000, costMs))
    const again = { ...A, release }
    expect(policy.refusal(again, false, 1000 + pauseMs - 1)).toBe(SILENCE)
    expect(policy.refusal(again, false, 1000 + pauseMs)).toBeUndefined()
  })

  test('gets the full timeout the first and every fifth time', () => {
    const policy = new WritePolicy()
    const patiences = Array.from({ length: 10 }, () => {
      const patience = policy.patience(A, false)
      policy.missed(A, miss(0))
      // The unit answers reads in between.
      policy.unitAnswered(1)
      return patience
    })
    const [whole, short] = ['full', 'short']
    expect(patiences).toEqual([whole, short, short, short, whole, short, short, short, short, whole])
  })

  test('gets a short timeout while its unit has not answered since another address missed an answer', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    expect(policy.patience(B, false)).toBe('short')
    policy.unitAnswered(1)
    expect(policy.patience(B, false)).toBe('full')
  })

  test('is treated like any other once a write was answered', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    policy.answered(A)
    expect(policy.refusal(A, false, 1)).toBeUndefined()
    expect(policy.patience(A, false)).toBe('full')
  })
})

describe('a unit', () => {
  test('that answers neither reads nor writes gets one write a second', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    expect(policy.refusal(B, true, 900)).toBe(SILENCE)
    expect(policy.refusal(B, true, 1000)).toBeUndefined()
    expect(policy.patience(B, true)).toBe('short')
  })

  test('that answers any request may be written at all other addresses', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    policy.unitAnswered(1)
    expect(policy.refusal(B, true, 1)).toBeUndefined()
    expect(policy.patience(B, true)).toBe('full')
    expect(policy.refusal(A, false, 1)).toBe(SILENCE)
  })

  test('that is back after a silence may be written at every address', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    policy.unitReturned(1)
    expect(policy.refusal(A, false, 1)).toBeUndefined()
  })
})
