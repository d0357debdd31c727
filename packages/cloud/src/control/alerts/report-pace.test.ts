import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createReportPace } from './report-pace.ts'

test('a site is reported on ten times a minute, and others do not wait for it', async () => {
  const clock = createManualClock()
  const pace = createReportPace(clock)
  for (let count = 0; count < 10; count += 1) pace.begin('site_a')
  expect(() => pace.begin('site_a')).toThrow(expect.objectContaining({ kind: 'quota', retryAfterS: 60 }))
  pace.begin('site_b')
  await clock.advance(60_000)
  pace.begin('site_a')
})

test('the wait is what is left of the minute, in whole seconds', async () => {
  const clock = createManualClock()
  const pace = createReportPace(clock)
  for (let count = 0; count < 10; count += 1) pace.begin('site_a')
  await clock.advance(58_500)
  expect(() => pace.begin('site_a')).toThrow(
    'this site was reported on 10 times in a minute, which is the limit: try again in 2 s',
  )
  await clock.advance(1_499)
  expect(() => pace.begin('site_a')).toThrow(expect.objectContaining({ retryAfterS: 1 }))
})
