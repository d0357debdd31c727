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
