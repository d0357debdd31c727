import type { StatementSync } from 'node:sqlite'
import { createLog } from '@plantroom/base/log'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { onTestFinished } from 'vitest'
import { type Change, type Commits, createCommits } from '../store/commits.ts'
import { type Journal, openJournal } from '../store/journal.ts'
import type { Reserve } from '../store/reserve.ts'
import type { StagedMap } from '../store/staged-map.ts'

/** Commits on a real journal, with one table, one staged map for it, and a disk that the test can break. */
export interface CommitsInTest {
  readonly journal: Journal
  readonly commits: Commits
  readonly clock: ManualClock
  /** How often a flush was attempted. */
  readonly flushes: number
  readonly logged: readonly string[]
  readonly memory: StagedMap<string, number>
  /** Stores a number by name, in memory and on disk. */
  put(to: Change, name: string, value: number): void
  onDisk(): Record<string, number>
  /** Makes every write to the disk fail. */
  breakDisk(): void
  repairDisk(): void
  readonly reserve: { released: number; restored: number; room: boolean }
}

export function createCommitsInTest(folder: string, options: { reserve?: Reserve } = {}): CommitsInTest {
  const journal = openJournal(folder)
  journal.exec('CREATE TABLE IF NOT EXISTS thing (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT')
  const upsert: StatementSync = journal.prepare(
    'INSERT INTO thing (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const select = journal.prepare('SELECT name, value FROM thing ORDER BY name')
  const clock = createManualClock()
  const logged: string[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line).msg) })
  const state = { released: 0, restored: 0, room: true }
  const reserve: Reserve = options.reserve ?? {
    hasRoom: () => state.room,
    release() {
      state.released += 1
    },
    restore() {
      state.restored += 1
    },
  }
  let flushes = 0
  const reached = (point: string) => {
    if (point === 'flush:before') flushes += 1
  }
  const commits = createCommits({ journal, reserve, clock, log, reached })
  const onDisk = () => Object.fromEntries(select.all().map(({ name, value }) => [String(name), Number(value)]))
  const memory = commits.stagedMap<string, number>(Object.entries(onDisk()))
  onTestFinished(() => {
    if (!journal.isOpen) return
    commits.close()
    journal.close()
  })

  return {
    journal,
    commits,
    clock,
    get flushes() {
      return flushes
    },
    logged,
    memory,
    put(to, name, value) {
      to.write(upsert, name, value)
      memory.set(name, value)
    },
    onDisk,
    breakDisk: () => journal.exec('PRAGMA query_only = 1'),
    repairDisk: () => journal.exec('PRAGMA query_only = 0'),
    reserve: state,
  }
}
