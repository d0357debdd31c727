import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatTimestamp } from '@plantroom/contract/timestamp'

const KEPT = 'journal.damaged-'
/** On a failing disk, damaged files would pile up until the journal has no room. */
const MOST_KEPT = 3

/** Returns a name for damaged files of this time, and makes room for it. */
export function nameAside(folder: string, now: number): string {
  const older = asideIn(folder).slice(0, 1 - MOST_KEPT)
  for (const name of older) for (const end of ['', '-wal']) rmSync(join(folder, `${name}${end}`), { force: true })
  return `${KEPT}${formatTimestamp(now).replaceAll(':', '-')}.db`
}

/** Moves the journal and its log out of the way. Returns their new name. */
export function moveAside(folder: string, now: number): string {
  const name = nameAside(folder, now)
  // The log first: the rest of an interrupted move must not be taken for a whole journal with the log of another.
  for (const end of ['-wal', '']) {
    const path = join(folder, `journal.db${end}`)
    if (existsSync(path)) renameSync(path, join(folder, `${name}${end}`))
  }
  return name
}

/** The names of damaged journals that were kept, the oldest first. */
export function asideIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const kept = names.filter((name) => name.startsWith(KEPT)).map((name) => name.replace(/-wal$/, ''))
  return [...new Set(kept)].toSorted()
}
