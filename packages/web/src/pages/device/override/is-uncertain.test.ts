import { ApiError } from '@plantroom/client/http'
import { expect, test } from 'vitest'
import { isUncertain } from './is-uncertain.ts'

test.each([400, 401, 403, 499])('what was refused with %d was not done', (status) => {
  expect(isUncertain(new ApiError(status, {}))).toBe(false)
})

test.each([500, 502, 503, 504])('what was answered with %d may have been done', (status) => {
  expect(isUncertain(new ApiError(status, {}))).toBe(true)
})

test('what nobody answered may have been done; where nothing failed nothing is in doubt', () => {
  expect(isUncertain(new Error('cannot be reached'))).toBe(true)
  expect(isUncertain(null)).toBe(false)
})
