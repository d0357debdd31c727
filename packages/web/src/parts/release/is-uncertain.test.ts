import { ApiError } from '@plantroom/client/http'
import { expect, test } from 'vitest'
import { isUncertain } from './is-uncertain.ts'

test.each([400, 401, 403, 499])('a command refused with %d was not carried out', (status) => {
  expect(isUncertain(new ApiError(status, {}))).toBe(false)
})

test.each([500, 502, 503, 504])('a command answered with %d may have been carried out', (status) => {
  expect(isUncertain(new ApiError(status, {}))).toBe(true)
})

test('a command without an answer may have been carried out', () => {
  expect(isUncertain(new Error('cannot be reached'))).toBe(true)
  expect(isUncertain(null)).toBe(false)
})
