import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Journal } from './journal.ts'

export interface Operation {
  statement: StatementSync
  parameters: readonly SQLInputValue[]
}

/** One transaction of the journal after the other, each begun with its first statement. */
export interface Transaction {
  /**
   * Carries out all of these, or none and gives the reason why no disk would ever take them. Throws when it is the disk
   * that does not.
   */
  take(operations: readonly Operation[]): Error | undefined
  /** Is there anything to commit? */
  readonly begun: boolean
  /** On disk when it returns. Throws when the disk does not take it. */
  commit(): void
  /** Leaves nothing of what was taken. Never throws. */
  abandon(): void
  /** Empties the log into the file, so that the next transaction overwrites it instead of growing it. Never throws. */
  checkpoint(): void
}

/** Too big, a constraint, a wrong type, a wrong number of parameters: the same on any disk. */
const OWN_FAULTS = new Set([18, 19, 20, 25])

export function createTransaction(journal: Journal): Transaction {
  const begin = journal.prepare('BEGIN IMMEDIATE')
  const commit = journal.prepare('COMMIT')
  const savepoint = journal.prepare('SAVEPOINT change')
  const release = journal.prepare('RELEASE change')
  let begun = false

  function abandon(): void {
    begun = false
    quietly(() => {
      if (journal.isTransaction) journal.exec('ROLLBACK')
    })
  }

  return {
    get begun() {
      return begun
    },
    take(operations) {
      if (operations.length === 0) return undefined
      if (!begun) {
        // A disk that fails may have refused the end of the one before as well.
        abandon()
        begin.run()
        begun = true
      }
      savepoint.run()
      try {
        for (const { statement, parameters } of operations) statement.run(...parameters)
      } catch (error) {
        if (!(error instanceof Error) || !isOwnFault(error)) throw error
        journal.exec('ROLLBACK TO change; RELEASE change')
        return error
      }
      release.run()
      return undefined
    },
    commit() {
      commit.run()
      begun = false
    },
    abandon,
    checkpoint: () => quietly(() => journal.exec('PRAGMA wal_checkpoint')),
  }
}

function isOwnFault(error: Error): boolean {
  const { code, errcode } = error as Error & { code?: string; errcode?: number }
  // The lowest byte is the kind, the others say more about it.
  return errcode === undefined ? code !== 'ERR_INVALID_STATE' : OWN_FAULTS.has(errcode & 0xff)
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {}
}
