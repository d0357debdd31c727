import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { atOnce } from '../testing/at-once.ts'
import { queryPlans } from '../testing/query-plan.ts'
import { aReportEntry } from '../testing/report-entry.ts'
import { openJournal } from './journal.ts'
import { createReportStore } from './report-store.ts'

function open(folder = temporaryFolder()) {
  const journal = openJournal(folder)
  onTestFinished(() => {
    if (journal.isOpen) journal.close()
  })
  const store = createReportStore(journal)
  const add = (seq: number, settled = true) => store.add(atOnce, aReportEntry({ seq }), settled)
  const ready = (after = 0, limit = 100) => store.ready(after, limit).map(({ seq }) => seq)
  return { journal, store, add, ready }
}

describe('entries that are ready', () => {
  test('come in order, after the one named, and no more than asked for', () => {
    const { add, ready } = open()
    for (const seq of [1, 2, 3, 4, 5]) add(seq)
    expect(ready()).toEqual([1, 2, 3, 4, 5])
    expect(ready(2)).toEqual([3, 4, 5])
    expect(ready(1, 2)).toEqual([2, 3])
    expect(ready(5)).toEqual([])
  })

  test('end before the first that is not settled, however many are settled behind it', () => {
    const { store, add, ready } = open()
    add(1)
    add(2, false)
    add(3)
    add(4, false)
    expect(ready()).toEqual([1])
    store.settle(atOnce, aReportEntry({ seq: 2, readBack: 20 }))
    expect(ready()).toEqual([1, 2, 3])
    expect(store.ready(1, 1).map(({ json }) => JSON.parse(json))).toEqual([aReportEntry({ seq: 2, readBack: 20 })])
    store.settle(atOnce, aReportEntry({ seq: 4 }))
    expect(ready()).toEqual([1, 2, 3, 4])
  })

  test('are as they were put, also after a restart', () => {
    const folder = temporaryFolder()
    const { journal, store } = open(folder)
    const entry = aReportEntry({ seq: 1, value: '9007199254740993', datapointId: `"Süd" 🏭` })
    store.add(atOnce, entry, true)
    journal.close()
    expect(
      open(folder)
        .store.ready(0, 1)
        .map(({ json }) => JSON.parse(json)),
    ).toEqual([entry])
  })

  test('are found without looking at the others, however many there are', () => {
    const { journal } = open()
    for (const [sql, steps] of queryPlans(journal, createReportStore)) {
      const scans = steps.filter((step) => step.startsWith('SCAN report') && !step.includes('report_unsettled'))
      expect({ sql, scans }).toEqual({ sql, scans: [] })
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    }
  })
})

describe('what the cloud has', () => {
  test('is forgotten up to there, and no further', () => {
    const { store, add, ready } = open()
    for (const seq of [1, 2, 3]) add(seq)
    store.forget(atOnce, 2)
    store.forget(atOnce, 1)
    expect(ready()).toEqual([3])
    expect(store.find(2)).toBeUndefined()
  })

  test('is still counted: numbers go on when nothing is left, also after a restart', () => {
    const folder = temporaryFolder()
    const { journal, store, add } = open(folder)
    expect(store.lastSeq()).toBe(0)
    add(1)
    add(2)
    store.forget(atOnce, 2)
    expect(store.lastSeq()).toBe(2)
    journal.close()
    expect(open(folder).store.lastSeq()).toBe(2)
  })
})

test('what nobody will settle any more is settled as it is, and the rest waits on', () => {
  const { store, add, ready } = open()
  for (const seq of [1, 2, 3]) add(seq, false)
  store.settleAllBut(atOnce, [2])
  expect(ready()).toEqual([1])
  store.settleAllBut(atOnce, [])
  expect(ready()).toEqual([1, 2, 3])
})
