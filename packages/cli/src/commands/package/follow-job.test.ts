import { ApiError } from '@plantroom/client/http'
import type { Job } from '@plantroom/contract/jobs'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { followJob, progressOf } from './follow-job.ts'

const JOB: Job = {
  id: 'job_1',
  name: 'TICKET_IMPORT',
  status: 'RUNNING',
  resolved: false,
  retryCount: 1,
  maxAttempts: 3,
  scheduled: '2030-01-01T00:00:00.000Z',
  output: null,
  progress: { stage: 'writing', done: 5, total: 10 },
}
const DONE: Job = { ...JOB, status: 'SUCCESS', resolved: true }

/** Follows a job that is answered with `answers` in turn; the last one repeats. */
function following(...answers: (Job | Error)[]) {
  const clock = createManualClock()
  const looks: number[] = []
  const seen: Job[] = []
  const client = {
    async getJob() {
      looks.push(clock.monotonic())
      const answer = answers[Math.min(looks.length, answers.length) - 1] ?? DONE
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  const ended = followJob(
    { client, clock, onUpdate: (job) => seen.push(job) },
    { orgId: 'org_1', propertyId: 'site_1', jobId: 'job_1' },
  )
  ended.catch(() => {})
  return { clock, looks, seen, ended }
}

describe('following a job', () => {
  test('polls immediately and then less and less often, at least every five seconds', async () => {
    const { clock, looks } = following(JOB)
    await clock.advance(60_000)
    const waits = looks.slice(1).map((at, index) => at - (looks[index] ?? 0))
    expect(waits[0]).toBe(250)
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(waits.at(-1)).toBe(5000)
  })

  test('ends when the job is resolved, not when an attempt has failed', async () => {
    const failed: Job = { ...JOB, status: 'ERROR' }
    const { clock, seen, ended } = following(JOB, failed, failed, DONE)
    await clock.advance(10_000)
    expect(await ended).toEqual(DONE)
    expect(seen.map(({ status }) => status)).toEqual(['RUNNING', 'ERROR', 'ERROR', 'SUCCESS'])
  })

  test('survives a service that is briefly unavailable or failing', async () => {
    const { clock, ended } = following(JOB, new Error('gone'), new ApiError(503, {}), JOB, DONE)
    await clock.advance(10_000)
    expect(await ended).toEqual(DONE)
  })

  test('gives up after a minute without an answer and says how to continue', async () => {
    const { clock, ended } = following(JOB, new Error('http://x cannot be reached'))
    await clock.advance(70_000)
    await expect(ended).rejects.toThrow(
      'http://x cannot be reached. The job continues in the service; follow it with: plantroom package job job_1',
    )
  })

  test('fails immediately if the job does not exist', async () => {
    const { looks, ended } = following(new ApiError(404, { message: 'this site has no job job_1' }))
    await expect(ended).rejects.toThrow('this site has no job job_1')
    expect(looks).toHaveLength(1)
  })
})

describe('the progress of a job', () => {
  test.each([
    [{}, { label: 'writing', done: 5, total: 10 }],
    [{ retryCount: 2 }, { label: 'writing (attempt 2 of 3)', done: 5, total: 10 }],
    [{ status: 'SCHEDULED' as const }, { label: 'waiting', done: 0, total: 0 }],
    [{ progress: null }, { label: 'waiting', done: 0, total: 0 }],
    [{ status: 'ERROR' as const }, { label: 'attempt 1 of 3 failed, retrying in a minute', done: 0, total: 0 }],
  ])('shows its stage: %j', (fields, bar) => {
    expect(progressOf({ ...JOB, ...fields })).toEqual(bar)
  })
})
