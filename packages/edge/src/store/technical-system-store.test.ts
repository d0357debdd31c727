import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { immediateChange } from '../testing/immediate-change.ts'
import { openJournal } from './journal.ts'
import { createTechnicalSystemStore, type TechnicalSystemStore } from './technical-system-store.ts'

const heating = aSystem('ts_heating', [aConnection({ id: 'conn_1', datapoints: [aDatapoint({ id: 'dp_1' })] })])
const roof = aSystem('ts_roof', [aConnection({ id: 'conn_2' })])

/** Opens the store in a folder, runs `use` and closes it, like a start and stop of the device. */
function whileOpen<Result>(folder: string, use: (store: TechnicalSystemStore) => Result): Result {
  const journal = openJournal(folder)
  try {
    return use(createTechnicalSystemStore(journal))
  } finally {
    journal.close()
  }
}

describe('the store of technical systems', () => {
  test('is empty on a new device', () => {
    expect(whileOpen(temporaryFolder(), (store) => store.load())).toEqual([])
  })

  test('returns systems after a restart in the order of commissioning', () => {
    const folder = temporaryFolder()
    whileOpen(folder, (store) => {
      store.save(immediateChange, roof)
      store.save(immediateChange, heating)
    })
    expect(whileOpen(folder, (store) => store.load())).toEqual([roof, heating])
  })

  test('replaces the system with the same id, keeping its position', () => {
    const folder = temporaryFolder()
    const changed = { ...roof, name: 'Roof, second string', connections: [] }
    whileOpen(folder, (store) => {
      store.save(immediateChange, roof)
      store.save(immediateChange, heating)
      store.save(immediateChange, changed)
    })
    expect(whileOpen(folder, (store) => store.load())).toEqual([changed, heating])
  })

  test('removes one system and no other', () => {
    const folder = temporaryFolder()
    whileOpen(folder, (store) => {
      store.save(immediateChange, roof)
      store.save(immediateChange, heating)
      store.remove(immediateChange, roof.id)
    })
    expect(whileOpen(folder, (store) => store.load())).toEqual([heating])
  })

  test('ignores the removal of an unknown system', () => {
    whileOpen(temporaryFolder(), (store) => {
      store.save(immediateChange, heating)
      store.remove(immediateChange, 'ts_unknown')
      expect(store.load()).toEqual([heating])
    })
  })

  test('keeps text unchanged', () => {
    const odd = { ...roof, name: `O'Hara "Süd" \u0000 🏭` }
    whileOpen(temporaryFolder(), (store) => {
      store.save(immediateChange, odd)
      expect(store.load()).toEqual([odd])
    })
  })
})
