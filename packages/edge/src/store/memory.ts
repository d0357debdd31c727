import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, every } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import type { Memory as MemoryIdentity } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { moveAside, nameAside } from './aside.ts'
import { bringJournalTo } from './bring-journal.ts'
import type { KeptMemory } from './commits.ts'
import { damageIn, type Journal, openJournal } from './journal.ts'
import { type Mark, openMark, readMark } from './memory-mark.ts'

const LOOK_MS = 30_000
const FILES = ['journal.db', 'journal.db-wal']
/** Where a copy can be while the disk of the device is read-only. */
const IN_MEMORY = ['/dev/shm', tmpdir()]

/** The journal of the device, which one it is, and whether anything of it is missing. */
export interface Memory extends KeptMemory {
  readonly journal: Journal
  /** Where the journal is open. */
  readonly folder: string
  identity(): MemoryIdentity
  close(): void
}

interface MemoryDeps {
  folder: string
  clock: Clock
  log: Log
  /** The journal is back where it belongs. The device must be stopped and started again: it still writes elsewhere. */
  onBack(): void
}

/**
 * Opens the journal. One that is damaged is moved aside and a new one is begun; one that lacks its end is used, and what
 * it says of overrides is not. Both know that they have lost something, and so does the cloud, which gives it back.
 *
 * On a read-only disk the journal is a copy in memory, which takes no override. A journal that is removed while it is open
 * is put back.
 */
export function openMemory(deps: MemoryDeps): Memory {
  const { folder: home, clock, log } = deps
  const copy = isReadOnly(home) ? copyOf(home) : undefined
  const folder = copy ?? home
  const opened = openWhole(folder, readMark(home), deps)
  const { journal } = opened
  const parts = identify(journal, opened)
  const mark = openMark(folder)
  const run = newId('run')
  const places = copy === undefined ? inodesIn(home) : undefined
  let { count } = parts
  mark.write({ id: parts.id, count })

  const trouble = () => {
    if (!places) return 'its disk is read-only'
    return sameInodes(places, inodesIn(home))
      ? undefined
      : 'its journal was removed from the disk, and is being put back'
  }
  let reported: string | undefined
  function look(isClosing: boolean): void {
    const found = trouble()
    if (found !== reported) {
      if (found !== undefined) log.error({ folder: home, reason: found }, 'the journal cannot be kept on the disk')
      reported = found
    }
    if (found === undefined || isReadOnly(home)) return
    try {
      bringJournalTo(home, journal, clock.now())
      if (!isClosing) deps.onBack()
    } catch (error) {
      log.error({ folder: home, err: error }, 'the journal cannot be put back')
    }
  }
  look(false)
  const stopLooking = every(clock, LOOK_MS, () => look(false))

  return {
    journal,
    folder,
    identity: () => ({
      id: parts.id,
      run,
      from: parts.count,
      count,
      ...(parts.lost !== undefined && { lost: parts.lost }),
    }),
    count: {
      statement: journal.prepare(
        "INSERT INTO fact VALUES ('memory-count', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
      ),
      parameters: [],
    },
    counted() {
      count += 1
      mark.write({ id: parts.id, count })
    },
    trouble,
    close() {
      stopLooking()
      look(true)
      mark.close()
      journal.close()
      if (copy !== undefined) rmSync(copy, { recursive: true, force: true })
    },
  }
}

interface Opened {
  journal: Journal
  /** Where it had come to, by its mark. */
  mark: Mark | undefined
  lost: string | undefined
}

function openWhole(folder: string, mark: Mark | undefined, { clock, log }: MemoryDeps): Opened {
  const begin = (lost: string): Opened => {
    const aside = moveAside(folder, clock.now())
    log.error({ folder, aside, reason: lost }, 'the controller has lost its memory: the journal is kept aside')
    return { journal: openJournal(folder), mark, lost }
  }
  if (!existsSync(join(folder, 'journal.db'))) {
    if (mark || existsSync(join(folder, 'journal.db-wal'))) return begin('the journal is missing')
    return { journal: openJournal(folder), mark, lost: undefined }
  }
  let journal: Journal
  try {
    journal = openJournal(folder)
  } catch (error) {
    const damage = damageIn(error)
    if (damage === undefined) throw error
    return begin(`the journal is damaged (${damage})`)
  }
  const lost = mark && whatIsMissing(journal, mark)
  if (lost === undefined) return { journal, mark, lost }
  const aside = nameAside(folder, clock.now())
  try {
    journal.exec(`VACUUM INTO '${join(folder, aside).replaceAll("'", "''")}'`)
  } catch (error) {
    // The copy is for people. A full disk must not keep the device from starting.
    log.warn({ folder, err: error }, 'no copy of the journal can be kept aside')
  }
  log.error({ folder, aside, reason: lost }, 'the controller has lost a part of its memory: a copy is kept aside')
  return { journal, mark, lost }
}

function whatIsMissing(journal: Journal, mark: Mark): string | undefined {
  const { id, count } = factsOf(journal)
  // An earlier version does not count.
  if (id === undefined) return undefined
  if (id !== mark.id) return 'another journal is in the place of its own'
  return count < mark.count ? `the end of the journal is missing (${mark.count - count} changes)` : undefined
}

/** Gives a journal its id, and counts this start. What was lost earlier stays lost until the cloud has given it back. */
function identify(journal: Journal, { mark, lost }: Opened): { id: string; count: number; lost: string | undefined } {
  const known = factsOf(journal)
  const id = known.id ?? newId('mem')
  const count = Math.max(known.count, mark?.id === id ? mark.count : 0) + 1
  const put = journal.prepare('INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
  try {
    journal.exec('BEGIN IMMEDIATE')
    put.run('memory-id', id)
    put.run('memory-count', count)
    if (lost !== undefined) put.run('memory-lost', lost)
    journal.exec('COMMIT')
    return { id, count, lost: lost ?? known.lost }
  } catch {
    // A full disk must not keep the device from starting. Another start counts.
    if (journal.isTransaction) journal.exec('ROLLBACK')
    return { id, count: known.count, lost: lost ?? known.lost }
  }
}

function factsOf(journal: Journal): { id: string | undefined; count: number; lost: string | undefined } {
  const find = journal.prepare('SELECT value FROM fact WHERE name = ?')
  const text = (name: string) => {
    const value = find.get(name)?.value
    return value === undefined ? undefined : String(value)
  }
  return { id: text('memory-id'), count: Number(text('memory-count') ?? 0), lost: text('memory-lost') }
}

/** Reports whether the folder has a journal, and nothing can be written there. */
function isReadOnly(folder: string): boolean {
  if (!existsSync(join(folder, 'journal.db'))) return false
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch {
    return true
  }
}

/** Copies the journal with its log to memory. The log of a copy is applied like that of the original. */
function copyOf(folder: string): string {
  for (const place of IN_MEMORY) {
    try {
      const copy = mkdtempSync(join(place, 'plantroom-journal-'))
      for (const name of FILES) {
        if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name))
      }
      return copy
    } catch {}
  }
  throw new Failure('unavailable', `${folder} is read-only, and ${IN_MEMORY.join(' and ')} have no room for a copy`)
}

const inodesIn = (folder: string) =>
  FILES.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })).map(
    (found) => found && `${found.dev} ${found.ino}`,
  )

const sameInodes = (a: readonly (string | undefined)[], b: readonly (string | undefined)[]) =>
  a.every((inode, index) => inode === b[index])
