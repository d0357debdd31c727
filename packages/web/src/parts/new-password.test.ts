import { describe, expect, test } from 'vitest'
import { passwordProblems } from './new-password.ts'

const GOOD = 'a quiet plant room'

describe('a new password', () => {
  test('of 12 characters, twice the same, is one', () => {
    expect(passwordProblems({ password: '123456789012', again: '123456789012' })).toEqual({})
    expect(passwordProblems({ password: GOOD, again: GOOD })).toEqual({})
  })

  test('that is too short says how much is missing', () => {
    expect(passwordProblems({ password: '', again: '' }).password).toBe('12 characters are needed, this has 0.')
    expect(passwordProblems({ password: '12345678901', again: '12345678901' }).password).toContain('this has 11')
  })

  test('counts what people see as a character once', () => {
    expect(passwordProblems({ password: '🔑'.repeat(6), again: '🔑'.repeat(6) }).password).toContain('this has 6')
  })

  test('must be the same both times', () => {
    expect(passwordProblems({ password: GOOD, again: `${GOOD} ` })).toEqual({
      again: 'The two passwords are not the same.',
    })
  })
})
