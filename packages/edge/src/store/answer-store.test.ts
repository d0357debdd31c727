import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { immediateChange } from '../testing/immediate-change.ts'
import { queryPlans } from '../testing/query-plan.ts'
import { createAnswerStore, PRUNE_BATCH } from './answer-store.ts'
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
  test('is found by key and reqId, even after a restart', () => {
    const folder = temporaryFolder()
    const { journal, store } = open(folder)
    store.add(immediateChange, answer('r1'))
    journal.close()
    expect(open(folder).store.find('key_1', 'r1', 0)).toEqual({ request: 'of r1', reply: '{}' })
  })

  test('to the same reqId of another key is separate', () => {
    const { store } = open()
    store.add(immediateChange, answer('r1'))
    expect(store.find('key_2', 'r1', 0)).toBeUndefined()
    store.add(immediateChange, { ...answer('r1', 0, 'key_2'), reply: 'other' })
    expect(store.find('key_1', 'r1', 0)?.reply).toBe('{}')
    expect(store.find('key_2', 'r1', 0)?.reply).toBe('other')
  })

  test('is not found when it is too old', () => {
    const { store } = open()
    store.add(immediateChange, answer('r1', 7))
    expect(store.find('key_1', 'r1', 7)).toBeDefined()
    expect(store.find('key_1', 'r1', 8)).toBeUndefined()
  })

  test('is pruned only when it is too old, whatever the clock did meanwhile', () => {
    const { store } = open()
    for (const at of [5, 3, 1, 4, 2]) store.add(immediateChange, answer(`r${at}`, at))
    store.prune(immediateChange, 1)
    expect(store.find('key_1', 'r1', 0)).toBeDefined()
    store.prune(immediateChange, 3)
    expect([1, 2, 3, 4, 5].filter((at) => store.find('key_1', `r${at}`, 0))).toEqual([3, 4, 5])
  })
})

describe('pruning', () => {
  test('shrinks the table when it runs once per half a batch of new answers', () => {
    const { store, count } = open()
    for (let n = 0; n < 160; n += 1) store.add(immediateChange, answer(`old_${n}`, n))
    for (let n = 1; n <= 160; n += 1) {
      store.add(immediateChange, answer(`new_${n}`, 1000 + n))
      if (n % (PRUNE_BATCH / 2) === 0) store.prune(immediateChange, 500)
    }
    expect(count()).toBe(160)
  })

  test('removes a few rows at a time, so that no request waits long', () => {
    const { store, count } = open()
    for (let n = 0; n < 100; n += 1) store.add(immediateChange, answer(`old_${n}`, n))
    store.prune(immediateChange, 500)
    expect(count()).toBe(100 - PRUNE_BATCH)
  })

  test('and finding use the index, however many rows there are', () => {
    const { journal } = open()
    const steps = [...queryPlans(journal, createAnswerStore).values()].flat()
    expect(steps).toContain('SEARCH answer USING INDEX answer_lookup (lookup=?)')
    expect(steps).toContain('SEARCH answer USING COVERING INDEX answer_key (key_id=?)')
    // In row order, and only the rows of one batch or of the excess, which is counted in an index.
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([
      'SCAN answer',
      'SCAN answer USING COVERING INDEX answer_lookup',
      'SCAN answer',
    ])
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  })
})
