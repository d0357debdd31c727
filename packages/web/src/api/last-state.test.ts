import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLastState } from './last-state.ts'

const DEVICES = ['listDevices', { orgId: 'o' }, 'all', undefined]
const NOON = Date.parse('2030-01-01T12:00:00Z')

/** A browser whose pages share their storage. */
function browser() {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
  const open = ({ version = '1', now = NOON } = {}) => {
    const queries = new QueryClient()
    onTestFinished(() => queries.clear())
    return { queries, state: createLastState(queries, { storage, version, now: () => now }) }
  }
  return { kept, open }
}

/** A browser in which an account has seen a list of controllers. */
function visited(userId = 'ann') {
  const made = browser()
  const { queries, state } = made.open()
  state.restore(userId)
  queries.setQueryData(DEVICES, ['roof'], { updatedAt: NOON })
  queries.setQueryData(['listKeys', { orgId: 'o' }], ['private'], { updatedAt: NOON })
  state.save()
  return { ...made, queries, state }
}

describe('the last state of a browser', () => {
  test('is there at the next visit, and counts as old until it is loaded again', async () => {
    const { open } = visited()
    const { queries, state } = open({ now: NOON + 60_000 })
    state.restore('ann')
    expect(queries.getQueryData(DEVICES)).toEqual(['roof'])
    expect(state.shownSince()).toBeUndefined()
    const load = { queryKey: DEVICES, queryFn: () => ['roof', 'cellar'], staleTime: Number.POSITIVE_INFINITY }
    const stop = new QueryObserver(queries, load).subscribe(() => {})
    expect(state.shownSince()).toBe(NOON)
    await expect.poll(() => queries.getQueryData(DEVICES)).toEqual(['roof', 'cellar'])
    expect(state.shownSince()).toBeUndefined()
    stop()
  })

  test('has only what the overview shows', () => {
    expect([...visited().kept.values()].join()).not.toContain('private')
  })

  test('is never shown to another account, and ends with its sign-in', () => {
    const { open, kept } = visited()
    const { queries, state } = open()
    state.restore('ben')
    expect(queries.getQueryData(DEVICES)).toBeUndefined()
    expect([...kept.values()].join()).not.toContain('roof')
  })

  test('ends with a sign-out, also for the tabs that are still open', () => {
    const { open, kept, state } = visited()
    const other = open()
    other.state.restore('ann')
    state.forget()
    expect(kept.size).toBe(0)
    other.state.save()
    expect(kept.size).toBe(0)
  })

  test('ends with the session, and the browser knows that it did not sign out', () => {
    const { open, kept } = visited()
    const { state } = open()
    expect(state.account()).toBe('ann')
    state.forget('ended')
    expect(state.account()).toBe('ann')
    expect([...kept.values()].join()).not.toContain('roof')
    state.forget()
    expect(state.account()).toBeUndefined()
  })

  test('is left out when it is of another version or a week old', () => {
    for (const visit of [{ version: '2' }, { now: NOON + 8 * 86_400_000 }]) {
      const { queries, state } = visited().open(visit)
      state.restore('ann')
      expect(queries.getQueryData(DEVICES)).toBeUndefined()
    }
  })

  test('is bounded: the newest replies that fit are kept', () => {
    const { queries, state, kept } = visited()
    queries.setQueryData(['listAlerts', {}], 'x'.repeat(2_000_000), { updatedAt: NOON + 1 })
    state.save()
    const [text = ''] = kept.values()
    expect(text.length).toBeLessThan(1_000_000)
    expect(text).toContain('roof')
  })
})

test('a browser that keeps nothing shows no last state', () => {
  const queries = new QueryClient()
  const denied = () => {
    throw new Error('denied')
  }
  const storage = { getItem: denied, setItem: denied, removeItem: denied }
  const state = createLastState(queries, { storage, version: '1', now: () => NOON })
  state.restore('ann')
  state.save()
  state.forget('ended')
  state.forget()
  expect(state.account()).toBeUndefined()
})
