import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Journal } from './journal.ts'

export interface Operation {
  statement: StatementSync
  parameters: readonly SQLInputValue[]
}

/** Runs one transaction of the journal after another, each begun by its first statement. */
export interface Transaction {
  /**
   * Runs all operations, or none. Returns the error when the operations themselves are at fault; throws when the disk
   * fails.
   */
  take(operations: readonly Operation[]): Error | undefined
  /** True when there is something to commit. */
  readonly begun: boolean
  /** Returns when everything is on disk. Throws when the disk fails. */
  commit(): void
  /** Rolls everything back. Never throws. */
  abandon(): void
  /** Empties the write-ahead log into the file, so that the next transaction reuses its space. Never throws. */
  checkpoint(): void
}

/** TOOBIG, CONSTRAINT, MISMATCH and RANGE: these fail on any disk. */
const STATEMENT_FAULTS = new Set([18, 19, 20, 25])

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
        // On a failing disk, the previous transaction may not have ended either.
        abandon()
        begin.run()
        begun = true
      }
      savepoint.run()
      try {
        for (const { statement, parameters } of operations) statement.run(...parameters)
      } catch (error) {
        if (!(error instanceof Error) || !isStatementFault(error)) throw error
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

function isStatementFault(error: Error): boolean {
  const { code, errcode } = error as Error & { code?: string; errcode?: number }
  // The lowest byte is the primary error code.
  return errcode === undefined ? code !== 'ERR_INVALID_STATE' : STATEMENT_FAULTS.has(errcode & 0xff)
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {}
}
