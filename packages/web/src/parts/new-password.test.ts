import { describe, expect, test } from 'vitest'
import { passwordProblems } from './new-password.tsx'

const GOOD = 'a quiet plant room'

describe('a new password', () => {
  test('is valid with 12 characters, typed the same twice', () => {
    expect(passwordProblems({ password: '123456789012', again: '123456789012' })).toEqual({})
    expect(passwordProblems({ password: GOOD, again: GOOD })).toEqual({})
  })

  test('needs at least 12 characters', () => {
    expect(passwordProblems({ password: '', again: '' }).password).toBe(
      'The password needs at least 12 characters. This one has 0.',
    )
    expect(passwordProblems({ password: '12345678901', again: '12345678901' }).password).toContain('has 11')
  })

  test('counts an emoji as one character', () => {
    expect(passwordProblems({ password: '🔑'.repeat(6), again: '🔑'.repeat(6) }).password).toContain('has 6')
  })

  test('must be the same both times', () => {
    expect(passwordProblems({ password: GOOD, again: `${GOOD} ` })).toEqual({
      again: 'The two passwords do not match.',
    })
  })
})
