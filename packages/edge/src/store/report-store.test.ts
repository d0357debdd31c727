import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { immediateChange } from '../testing/immediate-change.ts'
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
  const add = (seq: number) => store.add(immediateChange, aReportEntry({ seq }))
  const ready = (after = 0, limit = 100) => store.ready(after, limit).map(({ seq }) => seq)
  return { journal, store, add, ready }
}

describe('entries ready to send', () => {
  test('come in order after the given number, up to the limit', () => {
    const { add, ready } = open()
    for (const seq of [1, 2, 3, 4, 5]) add(seq)
    expect(ready()).toEqual([1, 2, 3, 4, 5])
    expect(ready(2)).toEqual([3, 4, 5])
    expect(ready(1, 2)).toEqual([2, 3])
    expect(ready(5)).toEqual([])
  })

  test('are unchanged, even after a restart', () => {
    const folder = temporaryFolder()
    const { journal, store } = open(folder)
    const entry = aReportEntry({ seq: 1, value: '9007199254740993', datapointId: `"Süd" 🏭` })
    store.add(immediateChange, entry)
    journal.close()
    expect(
      open(folder)
        .store.ready(0, 1)
        .map(({ json }) => JSON.parse(json)),
    ).toEqual([entry])
  })

  test('are found by index, however many there are', () => {
    const { journal } = open()
    for (const [sql, steps] of queryPlans(journal, createReportStore)) {
      const scans = steps.filter((step) => step.startsWith('SCAN report'))
      expect({ sql, scans }).toEqual({ sql, scans: [] })
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    }
  })
})

describe('confirmed entries', () => {
  test('are deleted up to the confirmed number', () => {
    const { store, add, ready } = open()
    for (const seq of [1, 2, 3]) add(seq)
    store.forget(immediateChange, 2)
    store.forget(immediateChange, 1)
    expect(ready()).toEqual([3])
    expect(store.count()).toBe(1)
  })

  test('keep their numbers used, even if none is left and after a restart', () => {
    const folder = temporaryFolder()
    const { journal, store, add } = open(folder)
    expect(store.lastSeq()).toBe(0)
    add(1)
    add(2)
    store.forget(immediateChange, 2)
    expect(store.lastSeq()).toBe(2)
    journal.close()
    expect(open(folder).store.lastSeq()).toBe(2)
  })
})
