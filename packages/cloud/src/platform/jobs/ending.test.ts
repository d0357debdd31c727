import { describe, expect, test } from 'vitest'
import { type Ending, judgeEnding } from './ending.ts'

const judge = (job: Parameters<typeof judgeEnding>[0], ending: Ending) =>
  judgeEnding(job, ending, { brokenMessage: 'It broke.', retryDelayS: 60 })
const attempt = (retryCount: number, maxAttempts = 3) => ({ retryCount, maxAttempts })

describe('judgeEnding', () => {
  test('resolves a job that is done, with its output', () => {
    const output = { message: 'not an error' }
    expect(judge(attempt(2), { kind: 'done', output })).toMatchObject({
      status: 'SUCCESS',
      resolved: true,
      output,
      retryCount: 2,
      retryInS: undefined,
    })
  })

  test.each([[1], [2]])('retries after the delay, without output, when attempt %i of 3 fails', (count) => {
    const ending: Ending = { kind: 'failed', message: 'why', final: false }
    expect(judge(attempt(count), ending)).toMatchObject({
      status: 'ERROR',
      resolved: false,
      output: null,
      retryInS: 60,
    })
  })

  test('resolves the job with the message of its handler when the last attempt fails', () => {
    const ending: Ending = { kind: 'failed', message: 'why', final: false }
    for (const last of [attempt(3), attempt(1, 1)]) {
      expect(judge(last, ending)).toMatchObject({ status: 'ERROR', resolved: true, output: { message: 'why' } })
    }
  })

  test('does not retry a final failure and keeps its problems', () => {
    const problems = [{ path: 'p', value: null, rule: 'r' }]
    const ending: Ending = { kind: 'failed', message: 'Invalid manifest: …', final: true, problems }
    expect(judge(attempt(1), ending)).toMatchObject({ resolved: true, retryInS: undefined, problems })
  })

  test('shows the prepared message, never the cause, when the last attempt breaks', () => {
    const verdict = judge(attempt(3), { kind: 'broken', reason: 'its process ended', cause: 'Error\n at x.ts:1' })
    expect(verdict).toMatchObject({ status: 'ERROR', resolved: true, output: { message: 'It broke.' } })
    expect(verdict.cause).toContain('x.ts:1')
  })

  test('returns a stopped job to the queue immediately, without counting the attempt', () => {
    expect(judge(attempt(1), { kind: 'stopped' })).toMatchObject({
      status: 'SCHEDULED',
      resolved: false,
      retryCount: 0,
      retryInS: 0,
    })
  })
})
