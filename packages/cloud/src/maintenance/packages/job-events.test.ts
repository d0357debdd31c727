import type { NamedJob } from '@plantroom/contract/jobs'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createJobEvents } from './job-events.ts'

const job = (done: number): NamedJob => ({
  id: 'job_1',
  name: 'TICKET_IMPORT',
  filename: 'site.fpl',
  status: 'RUNNING',
  resolved: false,
  retryCount: 1,
  maxAttempts: 3,
  scheduled: '2030-01-01T00:00:00.000Z',
  output: null,
  progress: { stage: 'write', done, total: 10 },
  startedBy: null,
})

function start(find: (siteId: string, id: string) => Promise<NamedJob | undefined> = async () => job(1)) {
  const clock = createManualClock()
  const looks: string[] = []
  const events = createJobEvents({
    clock,
    store: {
      find(siteId, id) {
        looks.push(`${siteId}/${id}`)
        return find(siteId, id)
      },
    },
  })
  return { clock, looks, events }
}

describe('a followed job', () => {
  test('is read once a second for all its followers together', async () => {
    const { clock, looks, events } = start()
    const seen: string[] = []
    events.follow('site', 'job_1', () => seen.push('one'))
    await clock.advance(500)
    events.follow('site', 'job_1', () => seen.push('other'))
    expect(looks).toEqual([])
    await clock.advance(500)
    expect(looks).toEqual(['site/job_1'])
    expect(seen).toEqual(['one', 'other'])
    await clock.advance(2_000)
    expect(looks).toHaveLength(3)
  })

  test('is no longer read without followers, and again with a new one', async () => {
    const { clock, looks, events } = start()
    const seen: (NamedJob | undefined)[] = []
    const unfollow = events.follow('site', 'job_1', (now) => seen.push(now))
    await clock.advance(1_000)
    unfollow()
    unfollow()
    expect(clock.waiting()).toEqual([])
    const before = looks.length
    events.follow('site', 'job_1', (now) => seen.push(now))
    await clock.advance(1_000)
    expect(looks.length).toBe(before + 1)
    expect(seen).toHaveLength(2)
  })

  test('is still read once a second when a new follower replaces the last one', async () => {
    const { clock, looks, events } = start()
    events.follow('site', 'job_1', () => {})()
    events.follow('site', 'job_1', () => {})
    await clock.advance(3_000)
    expect(looks).toHaveLength(3)
  })

  test('is read once a second for a follower that arrives during a query', async () => {
    const answers: ((now: NamedJob) => void)[] = []
    const { clock, looks, events } = start(() => new Promise((resolve) => answers.push(resolve)))
    const unfollow = events.follow('site', 'job_1', () => {})
    await clock.advance(1_000)
    unfollow()
    events.follow('site', 'job_1', () => {})
    answers[0]?.(job(1))
    await clock.advance(1_000)
    answers[1]?.(job(1))
    await clock.advance(1_000)
    expect(looks).toHaveLength(3)
  })

  test('is not read again before the previous query has finished', async () => {
    const answers: ((now: NamedJob) => void)[] = []
    const { clock, looks, events } = start(() => new Promise((resolve) => answers.push(resolve)))
    events.follow('site', 'job_1', () => {})
    await clock.advance(10_000)
    expect(looks).toHaveLength(1)
    answers[0]?.(job(1))
    await clock.advance(1_000)
    expect(looks).toHaveLength(2)
  })

  test('stays followed when the database is briefly unavailable', async () => {
    let away = true
    const { clock, events } = start(async () => {
      if (away) throw new Error('the database is away')
      return job(2)
    })
    const seen: (NamedJob | undefined)[] = []
    events.follow('site', 'job_1', (now) => seen.push(now))
    await clock.advance(2_000)
    expect(seen).toEqual([])
    away = false
    await clock.advance(1_000)
    expect(seen).toEqual([job(2)])
  })
})
