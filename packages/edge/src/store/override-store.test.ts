import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { immediateChange } from '../testing/immediate-change.ts'
import { openJournal } from './journal.ts'
import { createOverrideStore, type Override } from './override-store.ts'

function open(folder: string) {
  const journal = openJournal(folder)
  onTestFinished(() => {
    if (journal.isOpen) journal.close()
  })
  return { store: createOverrideStore(journal), close: () => journal.close() }
}

const aWindow = (seq: number, about: Partial<Override> = {}): Override => ({
  seq,
  id: `ovr_${seq}`,
  datapointId: 'power',
  value: 20,
  from: 0,
  to: 1,
  reqId: 'r',
  placedBy: 'key_1',
  placedByName: 'Market',
  reason: '',
  ...about,
})

test('returns overrides unchanged after a restart, in the order of acceptance', () => {
  const folder = temporaryFolder()
  const odd = [
    aWindow(3, { value: 0.1 + 0.2, from: Date.UTC(9999, 0), to: Date.UTC(9999, 1) }),
    aWindow(1, { value: -1e300, from: -62_167_219_200_000, datapointId: `O'Hara "Süd" 🏭` }),
    aWindow(2, {
      value: Number.MIN_VALUE,
      reqId: '',
      placedBy: 'user:usr_1',
      placedByName: 'Süd 🏭',
      reason: '"grid" alarm',
    }),
  ]
  const before = open(folder)
  for (const window of odd) before.store.add(immediateChange, window)
  before.close()
  expect(open(folder).store.load()).toEqual([odd[1], odd[2], odd[0]])
})

test('removes one override and no other', () => {
  const { store } = open(temporaryFolder())
  for (const seq of [1, 2, 3]) store.add(immediateChange, aWindow(seq))
  store.remove(immediateChange, 2)
  store.remove(immediateChange, 99)
  expect(store.load().map(({ seq }) => seq)).toEqual([1, 3])
})

test('rejects an invalid value', () => {
  const { store } = open(temporaryFolder())
  expect(() => store.add(immediateChange, aWindow(1, { value: Number.NaN }))).toThrow('NOT NULL')
  expect(() => store.add(immediateChange, aWindow(1, { from: 0.5 }))).toThrow(
    'cannot store REAL value in INTEGER column',
  )
  expect(store.load()).toEqual([])
})
