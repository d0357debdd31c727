import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createStoredBytes } from './stored-bytes.ts'
import { createUploadReservations, RESERVE_BYTES } from './upload-reservations.ts'

const open = (changes: { free?: number; stored?: number } = {}) =>
  createUploadReservations({
    freeBytes: async () => RESERVE_BYTES + (changes.free ?? 100),
    stored: createStoredBytes(async () => changes.stored ?? 0, createManualClock()),
    maxBytesPerOrganization: 1_000,
  })

test('uploads that begin together do not pass the reserve together', async () => {
  const reservations = open()
  const asked = await Promise.all(['a', 'b', 'c'].map((organization) => reservations.reserve(organization, 60)))
  expect(asked.filter((each) => 'refusal' in each).length).toBeGreaterThanOrEqual(2)
})

test('bytes that arrived need no reservation, and an ended upload has none', async () => {
  const reservations = open()
  const first = await reservations.reserve('a', 100)
  if ('refusal' in first) throw new Error('refused')
  expect(await reservations.reserve('b', 1)).toEqual({ refusal: 'disk' })
  first.received(60)
  expect(await reservations.reserve('b', 61)).toEqual({ refusal: 'disk' })
  expect(await reservations.reserve('b', 60)).not.toHaveProperty('refusal')
  first.end()
  expect(await reservations.reserve('b', 40)).not.toHaveProperty('refusal')
})

test('the limit of an organization counts what it has stored and what it uploads', async () => {
  const reservations = open({ free: 1e9, stored: 500 })
  expect(await reservations.reserve('a', 300)).not.toHaveProperty('refusal')
  expect(await reservations.reserve('a', 201)).toEqual({ refusal: 'organization' })
  expect(await reservations.reserve('b', 201)).not.toHaveProperty('refusal')
})
