import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchInTime, forgetEarlyReads, readEarly } from './fetch-in-time.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // A connection on which nothing ever arrives.
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal?: AbortSignal }) => {
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a read without an answer fails in the end, so that it is tried again', async () => {
  const failed = vi.fn()
  fetchInTime('/api/session', { method: 'GET' }).catch(failed)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2000)
  expect(failed).toHaveBeenCalled()
})

test('a change is never given up: it may have been made', async () => {
  const failed = vi.fn()
  fetchInTime('/api/session', { method: 'POST' }).catch(failed)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(failed).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('a removal outlives its page, and other changes may be too large for that', async () => {
  const outlives: (boolean | undefined)[] = []
  vi.stubGlobal('fetch', async (_url: string, { keepalive }: RequestInit) => {
    outlives.push(keepalive)
    return Response.json({})
  })
  for (const method of ['DELETE', 'POST']) await fetchInTime('/api/session', { method })
  expect(outlives).toEqual([true, false])
})

test('an early read is the reply of the query that asks for it first, and of no other', async () => {
  let asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return Response.json({ asked })
  })
  const ask = async () => (await fetchInTime('/api/session', { method: 'GET' })).json()
  expect(await readEarly('/api/session')).toEqual({ asked: 1 })
  expect(await ask()).toEqual({ asked: 1 })
  expect(await ask()).toEqual({ asked: 2 })
  await readEarly('/api/session')
  forgetEarlyReads()
  expect(await ask()).toEqual({ asked: 4 })
})

test('an early read that fails is a failure of its query, and of nothing else', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 'UNAUTHENTICATED' }, { status: 401 }))
  expect(await readEarly('/api/session')).toBeUndefined()
  expect((await fetchInTime('/api/session', { method: 'GET' })).status).toBe(401)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  expect(await readEarly('/api/session')).toBeUndefined()
  await expect(fetchInTime('/api/session', { method: 'GET' })).rejects.toThrow('no network')
})
