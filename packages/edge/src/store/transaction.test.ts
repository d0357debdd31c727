import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openJournal } from './journal.ts'
import { createTransaction } from './transaction.ts'

function begin() {
  const journal = openJournal(temporaryFolder())
  onTestFinished(() => {
    if (journal.isOpen) journal.close()
  })
  journal.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY) STRICT')
  const insert = journal.prepare('INSERT INTO thing (id) VALUES (?)')
  const put = (...ids: number[]) => ids.map((id) => ({ statement: insert, parameters: [id] }))
  const ids = () =>
    journal
      .prepare('SELECT id FROM thing ORDER BY id')
      .all()
      .map(({ id }) => id)
  return { journal, transaction: createTransaction(journal), put, ids }
}

describe('a transaction', () => {
  test('begins with its first statement', () => {
    const { journal, transaction, put } = begin()
    expect(transaction.take([])).toBeUndefined()
    expect([transaction.begun, journal.isTransaction]).toEqual([false, false])
    transaction.take(put(1))
    expect([transaction.begun, journal.isTransaction]).toEqual([true, true])
    transaction.commit()
    expect([transaction.begun, journal.isTransaction]).toEqual([false, false])
  })

  test('runs all statements of a group or none, and returns the error; other groups stay', () => {
    const { transaction, put, ids } = begin()
    transaction.take(put(1))
    expect(transaction.take(put(2, 1))).toMatchObject({ message: expect.stringContaining('UNIQUE') })
    transaction.take(put(3))
    transaction.commit()
    expect(ids()).toEqual([1, 3])
  })

  test('that is abandoned leaves nothing, and the next one starts fresh', () => {
    const { transaction, put, ids } = begin()
    transaction.take(put(1))
    transaction.abandon()
    transaction.abandon()
    transaction.take(put(2))
    transaction.commit()
    expect(ids()).toEqual([2])
  })

  test('throws when the disk fails', () => {
    const { journal, transaction, put, ids } = begin()
    transaction.take(put(1))
    journal.exec('PRAGMA query_only = 1')
    expect(() => transaction.take(put(2))).toThrow('readonly')
    transaction.abandon()
    journal.exec('PRAGMA query_only = 0')
    transaction.take(put(3))
    transaction.commit()
    expect(ids()).toEqual([3])
  })

  test('begins even if the previous one was left open', () => {
    const { journal, transaction, put, ids } = begin()
    journal.exec('BEGIN; INSERT INTO thing VALUES (9)')
    transaction.take(put(1))
    transaction.commit()
    expect(ids()).toEqual([1])
  })

  test('on a closed journal throws, and can still be abandoned', () => {
    const { journal, transaction, put } = begin()
    journal.close()
    expect(() => transaction.take(put(1))).toThrow()
    transaction.abandon()
    transaction.checkpoint()
  })
})
