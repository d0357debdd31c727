import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchInTime } from './fetch-in-time.ts'

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
