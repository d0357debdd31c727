import type { LimitInterval } from '@plantroom/contract/power-limit'
import { describe, expect, test } from 'vitest'
import { createReportStore } from '../reports/report-store.ts'
import { entryOf } from '../reports/testing/entries.ts'
import { openAlertBench } from './testing/bench.ts'

const QUARTER_MS = 900_000

/** A site under a limit of 60 kW, whose controller reports each quarter of an hour. */
async function openLimited() {
  const bench = await openAlertBench()
  await bench.addDevices(1)
  await bench.settle()
  let seq = 0
  const place = { organizationId: 'org_a', siteId: 'site_a' }
  return {
    ...bench,
    /** Lets a quarter of an hour pass, and its interval arrive. */
    async interval(meanKw: number | null, about: Partial<LimitInterval> = {}) {
      seq += 1
      await bench.leap(QUARTER_MS / 1000)
      const now = bench.clock.now()
      const [from, to] = [now - QUARTER_MS, now].map((at) => new Date(at).toISOString()) as [string, string]
      const interval: LimitInterval = {
        ...{ from, to, direction: 'import', limitKw: 60, meanKw, coverage: 100, state: 'limited', moved: [] },
        ...about,
      }
      await createReportStore(bench.db).add(place, [
        entryOf('dev_a0', seq, { phase: 'interval', interval, datapointId: 'dp_meter' }),
      ])
      await bench.pass(10)
    },
  }
}

describe('a limit that is not kept', () => {
  test('has one alert with limit, mean and reason, until an interval is kept', async () => {
    const { interval, open, all, mails } = await openLimited()
    await interval(59)
    expect(await all()).toEqual([])
    await interval(66.25, { state: 'exhausted' })
    const details = { direction: 'import', limitKw: 60, meanKw: 66.25, state: 'exhausted' }
    expect(await open()).toMatchObject([
      {
        kind: 'limit-not-kept',
        deviceId: 'dev_a0',
        siteId: 'site_a',
        subject: { kind: 'datapoint', id: 'dp_meter' },
        details,
      },
    ])
    const [mail] = await mails()
    expect(mail?.body).toContain('The mean was 66.25 kW, the limit 60 kW: everything that may be moved was moved.')
    await interval(61)
    expect(await open()).toHaveLength(1)
    await interval(58)
    expect(await open()).toEqual([])
    expect(await all()).toHaveLength(1)
  })

  test('has an alert that ends when the limit is over', async () => {
    const { interval, open, pass, leap } = await openLimited()
    await interval(70)
    expect(await open()).toHaveLength(1)
    await leap(20 * 60)
    expect(await open()).toHaveLength(1)
    await leap(6 * 60)
    await pass(10)
    expect(await open()).toEqual([])
  })

  test.each<[string, Partial<LimitInterval>]>([
    ['of the other direction', { direction: 'export' }],
    ['that was hardly read', { coverage: 20 }],
  ])('is not over with an interval %s', async (_which, about) => {
    const { interval, open } = await openLimited()
    await interval(70)
    await interval(10, about)
    expect(await open()).toHaveLength(1)
  })

  test('is not over when only a more generous limit that overlaps it is kept', async () => {
    const { interval, open } = await openLimited()
    await interval(70)
    await interval(70, { limitKw: 80 })
    expect(await open()).toMatchObject([{ details: { limitKw: 60, meanKw: 70 } }])
    await interval(50, { limitKw: 55 })
    expect(await open()).toEqual([])
  })

  test('opens nothing where too little was read to say', async () => {
    const { interval, all } = await openLimited()
    await interval(70, { coverage: 20 })
    await interval(null, { coverage: 0 })
    expect(await all()).toEqual([])
  })
})
