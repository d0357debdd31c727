import { describe, expect, test } from 'vitest'
import { type Ending, judgeEnding } from './ending.ts'

const reach = { created: 12, passed: 20 }
const judge = (job: Parameters<typeof judgeEnding>[0], ending: Ending) =>
  judgeEnding(job, ending, { reach, retryDelayS: 60 })
const anImport = (retryCount: number) => ({ name: 'TICKET_IMPORT', retryCount, maxAttempts: 3 }) as const
const aPreview = { name: 'PREVIEW_TICKET_IMPORT', retryCount: 1, maxAttempts: 1 } as const

describe('an attempt that', () => {
  test('got through resolves the job with its output', () => {
    const output = { message: 'not an error' }
    expect(judge(anImport(2), { kind: 'done', output })).toMatchObject({
      status: 'SUCCESS',
      resolved: true,
      output,
      retryCount: 2,
      againInS: undefined,
    })
  })

  test.each([[1], [2]])(
    'failed as number %i of 3 leaves the job open, without output, for a minute later',
    (attempt) => {
      const ending: Ending = { kind: 'failed', message: 'why', final: false }
      expect(judge(anImport(attempt), ending)).toMatchObject({
        status: 'ERROR',
        resolved: false,
        output: null,
        againInS: 60,
      })
    },
  )

  test('failed as the last one resolves the job, in the words of its handler', () => {
    const ending: Ending = { kind: 'failed', message: 'why', final: false }
    expect(judge(anImport(3), ending)).toMatchObject({ status: 'ERROR', resolved: true, output: { message: 'why' } })
    expect(judge(aPreview, ending)).toMatchObject({ status: 'ERROR', resolved: true, output: { message: 'why' } })
  })

  test('failed for good is not tried again, and its problems are kept', () => {
    const problems = [{ path: 'p', value: null, rule: 'r', message: 'm' }]
    const ending: Ending = { kind: 'failed', message: 'Invalid manifest: …', final: true, problems }
    expect(judge(anImport(1), ending)).toMatchObject({ resolved: true, againInS: undefined, problems })
  })

  test('broke as the last one of an import says where, how much is there, and what to do; never the cause', () => {
    const verdict = judge(anImport(3), { kind: 'broken', reason: 'its process ended', cause: 'Error\n at x.ts:1' })
    expect(verdict.output).toEqual({
      message:
        'The import stopped at request 21: its process ended. It has put 12 requests on the site; running the import again continues from there.',
    })
    expect(verdict.cause).toContain('x.ts:1')
  })

  test('broke in a preview says to start it again', () => {
    expect(judge(aPreview, { kind: 'broken', reason: 'its process ended' }).output).toEqual({
      message: 'The preview did not finish: its process ended. Start it again.',
    })
  })

  test('was stopped with its worker counts as none, and goes on at once', () => {
    expect(judge(anImport(1), { kind: 'stopped' })).toMatchObject({
      status: 'SCHEDULED',
      resolved: false,
      retryCount: 0,
      againInS: 0,
    })
  })
})
