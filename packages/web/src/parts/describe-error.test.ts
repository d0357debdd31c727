import { ApiError } from '@plantroom/client/http'
import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

test('replaces hints for programs by what a person can do', () => {
  const offline = {
    code: 'DEVICE_OFFLINE',
    message: 'the device is offline; retry with backoff after it has reconnected',
  }
  expect(describeError(new ApiError(502, offline))).toBe(
    'The controller did not answer. It may be offline or busy. Try again in a moment.',
  )
  expect(describeError(new ApiError(500, {}))).toContain('contact your operator')
})

test('shows other messages of the service as sentences', () => {
  expect(describeError(new ApiError(409, { code: 'CONFLICT', message: 'this name is taken' }))).toBe(
    'This name is taken',
  )
})

test('asks to check the connection when nothing answered', () => {
  expect(describeError(new Error('fetch failed'))).toBe(
    'Plantroom cannot be reached. Check your connection and try again.',
  )
})
