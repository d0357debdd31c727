import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createReportPace } from './report-pace.ts'

const SITE = { orgId: 'org', siteId: 'site_a' }
const refused = expect.objectContaining({ kind: 'quota', retryAfterS: 60 })

test('a site is reported on ten times a minute, and others do not wait for it', async () => {
  const clock = createManualClock()
  const pace = createReportPace(clock)
  for (let count = 0; count < 10; count += 1) pace.begin(SITE)
  expect(() => pace.begin(SITE)).toThrow(refused)
  pace.begin({ orgId: 'org', siteId: 'site_b' })
  await clock.advance(60_000)
  pace.begin(SITE)
})

test('an organization is reported on thirty times a minute, however many sites it has', () => {
  const pace = createReportPace(createManualClock())
  for (let count = 0; count < 30; count += 1) pace.begin({ orgId: 'org', siteId: `site_${count}` })
  expect(() => pace.begin({ orgId: 'org', siteId: 'site_new' })).toThrow(refused)
  pace.begin({ orgId: 'other', siteId: 'site_of_other' })
})

test('the wait is what is left of the minute, in whole seconds', async () => {
  const clock = createManualClock()
  const pace = createReportPace(clock)
  for (let count = 0; count < 10; count += 1) pace.begin(SITE)
  await clock.advance(58_500)
  expect(() => pace.begin(SITE)).toThrow(
    'this site was reported on 10 times in a minute, which is the limit: try again in 2 s',
  )
  await clock.advance(1_499)
  expect(() => pace.begin(SITE)).toThrow(expect.objectContaining({ retryAfterS: 1 }))
})
