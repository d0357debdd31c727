import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { atOnce } from '../testing/at-once.ts'
import { queryPlans } from '../testing/query-plan.ts'
import { createAnswerStore } from './answer-store.ts'
import { openJournal } from './journal.ts'

function open(folder = temporaryFolder()) {
  const journal = openJournal(folder)
  onTestFinished(() => {
    if (journal.isOpen) journal.close()
  })
  const store = createAnswerStore(journal)
  const count = () => Number(journal.prepare('SELECT COUNT(*) AS count FROM answer').get()?.count)
  return { journal, store, count }
}

const answer = (reqId: string, at = 0, keyId = 'key_1') => ({ keyId, reqId, request: `of ${reqId}`, reply: '{}', at })

describe('an answer', () => {
  test('is found by key and reqId, also after a restart', () => {
    const folder = temporaryFolder()
    const { journal, store } = open(folder)
    store.add(atOnce, answer('r1'))
    journal.close()
    expect(open(folder).store.find('key_1', 'r1')).toEqual({ request: 'of r1', reply: '{}' })
  })

  test('to the same reqId of another key is another', () => {
    const { store } = open()
    store.add(atOnce, answer('r1'))
    expect(store.find('key_2', 'r1')).toBeUndefined()
    store.add(atOnce, { ...answer('r1', 0, 'key_2'), reply: 'other' })
    expect(store.find('key_1', 'r1')?.reply).toBe('{}')
    expect(store.find('key_2', 'r1')?.reply).toBe('other')
  })

  test('is given once: a second one under the same name is not taken', () => {
    const { store } = open()
    store.add(atOnce, answer('r1'))
    expect(() => store.add(atOnce, { ...answer('r1'), reply: 'other' })).toThrow('UNIQUE')
    expect(store.find('key_1', 'r1')?.reply).toBe('{}')
  })

  test('is forgotten when it is older than asked for, the oldest first, and not before', () => {
    const { store } = open()
    for (const at of [5, 3, 1, 4, 2]) store.add(atOnce, answer(`r${at}`, at))
    store.prune(atOnce, 1)
    expect(store.find('key_1', 'r1')).toBeDefined()
    store.prune(atOnce, 3)
    expect([1, 2, 3, 4, 5].filter((at) => store.find('key_1', `r${at}`))).toEqual([3, 4, 5])
  })
})

describe('pruning', () => {
  test('keeps up: with one for each answer that is added, what is too old becomes less', () => {
    const { store, count } = open()
    for (let n = 0; n < 200; n += 1) store.add(atOnce, answer(`old_${n}`, n))
    for (let n = 0; n < 100; n += 1) {
      store.add(atOnce, answer(`new_${n}`, 1000 + n))
      store.prune(atOnce, 500)
    }
    expect(count()).toBe(100)
  })

  test('takes a few at a time: no request waits for the past of all others', () => {
    const { store, count } = open()
    for (let n = 0; n < 100; n += 1) store.add(atOnce, answer(`old_${n}`, n))
    store.prune(atOnce, 500)
    expect(count()).toBeGreaterThan(90)
  })

  test('and finding look at no more rows than they need, however many there are', () => {
    const { journal } = open()
    const steps = [...queryPlans(journal, createAnswerStore).values()].flat()
    expect(steps).toContain('SEARCH answer USING COVERING INDEX answer_at (at<?)')
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  })
})
