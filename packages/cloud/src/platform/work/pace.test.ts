import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('a pace counts each key in a window, and names the share that is used up', async () => {
  const clock = createManualClock()
  const pace = createPace(clock, 60_000)
  const both = [
    { key: 'site', most: 2 },
    { key: 'organization', most: 3 },
  ]
  expect([pace.take(both), pace.take(both)]).toEqual([undefined, undefined])
  await clock.advance(20_000)
  expect(pace.take(both)).toEqual({ key: 'site', retryAfterMs: 40_000 })
  // The refused one counted for neither.
  expect(pace.take([{ key: 'organization', most: 3 }])).toBeUndefined()
  expect(pace.take([{ key: 'organization', most: 3 }])).toMatchObject({ key: 'organization' })
  await clock.advance(40_000)
  expect(pace.take(both)).toBeUndefined()
})

test('a pace keeps a bounded number of keys', () => {
  const pace = createPace(createManualClock(), 60_000)
  for (let key = 0; key < 100_000; key += 1) pace.take([{ key: String(key), most: 2 }])
  expect(pace.take([{ key: 'one more', most: 2 }])).toMatchObject({ key: 'one more' })
  expect(pace.take([{ key: '7', most: 2 }])).toBeUndefined()
})
