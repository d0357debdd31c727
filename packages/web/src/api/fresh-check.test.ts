import { ApiError, type Send } from '@plantroom/client/http'
import { describe, expect, test } from 'vitest'
import { createFreshCheck, repeatAfterCheck } from './fresh-check.ts'

const STALE = new ApiError(403, { code: 'RECENT_SIGN_IN_REQUIRED', message: 'prove it' })

/** A service that refuses until the person has proved who they are. */
function startService() {
  const check = createFreshCheck()
  const sent: unknown[][] = []
  let isFresh = false
  const send: Send = async <Reply>(...request: unknown[]) => {
    sent.push(request)
    if (!isFresh) throw STALE
    return 'done' as Reply
  }
  return {
    check,
    sent,
    send: repeatAfterCheck(send, check),
    prove() {
      isFresh = true
      check.finish(true)
    },
  }
}

describe('a request that needs a recent proof', () => {
  test('is repeated as it was once the person has proved who they are', async () => {
    const { check, send, sent, prove } = startService()
    const changes: boolean[] = []
    check.subscribe(() => changes.push(check.isAsking()))
    const body = { name: 'Key' }
    const both = Promise.all([send('POST', '/a', body), send('DELETE', '/b')])
    await expect.poll(() => sent.length).toBe(2)
    prove()
    expect(await both).toEqual(['done', 'done'])
    expect(sent.slice(2)).toEqual([
      ['POST', '/a', body],
      ['DELETE', '/b', undefined],
    ])
    expect(changes.at(-1)).toBe(false)
  })

  test('fails with the answer of the service when the person cancels, and asks again next time', async () => {
    const { check, send, sent, prove } = startService()
    const cancelled = send('DELETE', '/b')
    await expect.poll(() => check.isAsking()).toBe(true)
    check.finish(false)
    await expect(cancelled).rejects.toBe(STALE)
    expect(sent).toHaveLength(1)
    const again = send('DELETE', '/b')
    await expect.poll(() => check.isAsking()).toBe(true)
    prove()
    expect(await again).toBe('done')
  })
})

test('other errors are not repeated', async () => {
  const check = createFreshCheck()
  const error = new ApiError(403, { code: 'FORBIDDEN' })
  const send = repeatAfterCheck(() => Promise.reject(error), check)
  await expect(send('POST', '/a')).rejects.toBe(error)
  expect(check.isAsking()).toBe(false)
})
