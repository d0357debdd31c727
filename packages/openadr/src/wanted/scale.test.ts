import { expect, test } from 'vitest'
import { PROFILES } from '../profiles/profiles.ts'
import { interval, known, NOON, time } from '../testing/events.ts'
import { baselines } from './baselines.ts'
import { sweep } from './sweep.ts'

const COUNT = 10_000
/** How much more four times as many may cost: n log n is near 5, a square is 16. */
const MOST = 12

/** The CPU of this thread for one run, without what else the machine does: the least of several. */
function cpuOf(run: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    run()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  })
  return Math.min(...times)
}

/** Claims that begin one after another and all overlap. */
const claims = (count: number) => Array.from({ length: count }, (_, index) => ({ from: index, to: index + count }))

test('20,000 claims that overlap cost no more than their number explains', () => {
  const [quarter, all] = [claims(COUNT / 2), claims(2 * COUNT)]
  expect(sweep(all).outranked.size).toBe(2 * COUNT - 1)
  expect(cpuOf(() => sweep(all)) / cpuOf(() => sweep(quarter))).toBeLessThan(MOST)
})

test('10,000 baselines of one resource, each looked up, cost no more than their number explains', () => {
  const published = Array.from({ length: COUNT }, (_, index) =>
    known({
      id: `b${index}`,
      createdDateTime: time(NOON - index * 1000),
      intervalPeriod: { start: time(NOON + index * 1000), duration: 'PT1S' },
      intervals: [interval(0, index, undefined, 'ACTIVE_BASELINE')],
    }),
  )
  const lookUp = (events: typeof published) => {
    const profile = PROFILES['nlflex-1.0']
    const baselineOf = baselines(events, { profile, addressed: () => ['group'], units: () => null })
    return events.map((_, index) => baselineOf('ACTIVE_BASELINE', 'group', NOON + index * 1000)?.kw)
  }
  expect(lookUp(published)).toEqual(published.map((_, index) => index))
  expect(cpuOf(() => lookUp(published)) / cpuOf(() => lookUp(published.slice(0, COUNT / 4)))).toBeLessThan(MOST)
})
