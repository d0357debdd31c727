import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { immediateChange } from '../testing/immediate-change.ts'
import { createFactStore, type FactStore } from './fact-store.ts'
import { openJournal } from './journal.ts'

function whileOpen<Result>(folder: string, use: (facts: FactStore) => Result): Result {
  const journal = openJournal(folder)
  try {
    return use(createFactStore(journal))
  } finally {
    journal.close()
  }
}

describe('a fact', () => {
  test('of text is created once and survives a restart', () => {
    const folder = temporaryFolder()
    const first = whileOpen(folder, (facts) => [facts.text('key', () => 'made'), facts.text('key', () => 'again')])
    expect(first).toEqual(['made', 'made'])
    expect(whileOpen(folder, (facts) => facts.text('key', () => 'again'))).toBe('made')
  })

  test('of digits stays text', () => {
    const folder = temporaryFolder()
    whileOpen(folder, (facts) => facts.text('key', () => '007'))
    expect(whileOpen(folder, (facts) => facts.text('key', () => 'again'))).toBe('007')
  })

  test('of a number is undefined until it is set, and then the latest value', () => {
    const folder = temporaryFolder()
    whileOpen(folder, (facts) => {
      expect(facts.number('time')).toBeUndefined()
      facts.put(immediateChange, 'time', 1)
      facts.put(immediateChange, 'time', Date.UTC(2030, 0, 1) + 0.25)
    })
    expect(whileOpen(folder, (facts) => facts.number('time'))).toBe(Date.UTC(2030, 0, 1) + 0.25)
  })
})
