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
    expect(policy.standing(A, true, 0)).toBeUndefined()
    expect(policy.patience(A, false)).toBe('whole')
  })

  test('that gave no answer is left alone for a second, and no other address is', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    expect(policy.standing(A, false, 900)).toBe(SILENCE)
    expect(policy.standing(B, false, 0)).toBeUndefined()
    expect(policy.standing(A, false, 1000)).toBeUndefined()
  })

  test.each([
    { costMs: 10, release: false, pauseMs: 950 },
    { costMs: 100, release: false, pauseMs: 2000 },
    { costMs: 100, release: true, pauseMs: 2000 },
    { costMs: 1000, release: true, pauseMs: 5000 },
    { costMs: 1000, release: false, pauseMs: 20_000 },
    { costMs: 9000, release: false, pauseMs: 30_000 },
  ])('that gave none again is left alone in proportion to the cost: %o', ({ costMs, release, pauseMs }) => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0, costMs))
    policy.missed(A, miss(1000, costMs))
    const again = { ...A, release }
    expect(policy.standing(again, false, 1000 + pauseMs - 1)).toBe(SILENCE)
    expect(policy.standing(again, false, 1000 + pauseMs)).toBeUndefined()
  })

  test('has the whole timeout at first and every fifth time', () => {
    const policy = new WritePolicy()
    const patiences = Array.from({ length: 10 }, () => {
      const patience = policy.patience(A, false)
      policy.missed(A, miss(0))
      // Reads of the unit are answered meanwhile.
      policy.unitAnswered(1)
      return patience
    })
    const [whole, short] = ['whole', 'short']
    expect(patiences).toEqual([whole, short, short, short, whole, short, short, short, short, whole])
  })

  test('has short patience while its unit has answered nothing since another address gave no answer', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    expect(policy.patience(B, false)).toBe('short')
    policy.unitAnswered(1)
    expect(policy.patience(B, false)).toBe('whole')
  })

  test('is as good as any other once a write was answered', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    policy.answered(A)
    expect(policy.standing(A, false, 1)).toBeUndefined()
    expect(policy.patience(A, false)).toBe('whole')
  })
})

describe('a unit', () => {
  test('that is silent to reads and writes gets one write a second', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    expect(policy.standing(B, true, 900)).toBe(SILENCE)
    expect(policy.standing(B, true, 1000)).toBeUndefined()
    expect(policy.patience(B, true)).toBe('short')
  })

  test('that answers anything may be written at all other addresses', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    policy.unitAnswered(1)
    expect(policy.standing(B, true, 1)).toBeUndefined()
    expect(policy.patience(B, true)).toBe('whole')
    expect(policy.standing(A, false, 1)).toBe(SILENCE)
  })

  test('that is back after a silence may be written everywhere', () => {
    const policy = new WritePolicy()
    policy.missed(A, miss(0))
    policy.unitReturned(1)
    expect(policy.standing(A, false, 1)).toBeUndefined()
  })
})
