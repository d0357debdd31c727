import { archiveRefused, entryLabel, type PackageRefused } from '../refusal.ts'
import { pathKey } from './entry-names.ts'

interface Named {
  readonly index: number
  /** Ends with a slash for a folder. */
  readonly path: string
}

/**
 * Rejects two entries that some file system treats as one: equal paths after NFC and ignoring case, or a file that is
 * also a folder.
 */
export function refuseSharedPaths(entries: readonly Named[]): void {
  // Looking up every parent folder would take quadratic time for a path made of slashes. In sorted order, a duplicate
  // follows its path directly, and a file is eventually followed by the contents of the folder with its name.
  const keys = entries.map(({ path }) => pathKey(path)).sort()
  for (let place = 1; place < keys.length; place += 1) {
    const key = keys[place - 1] as string
    const next = keys[place] as string
    if (key === next) throw sameRefused(entries, key)
    if (key.endsWith('/') || !next.startsWith(key)) continue
    const inside = next[key.length] === '/' ? next : firstInside(keys, place, `${key}/`)
    if (inside) throw bothRefused(entryOf(entries, key), 'is a file and also a folder, see', entryOf(entries, inside))
  }
}

/** Returns the first of the sorted keys, from `from`, that is inside this folder. */
function firstInside(keys: readonly string[], from: number, folder: string): string | undefined {
  let [low, high] = [from, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as string) < folder) low = middle + 1
    else high = middle
  }
  return keys[low]?.startsWith(folder) ? keys[low] : undefined
}

function sameRefused(entries: readonly Named[], key: string): PackageRefused {
  const first = entryOf(entries, key)
  const second = entryOf(entries.slice(first.index + 1), key)
  const rule =
    first.path === second.path ? 'has the same path as' : 'has the same path, ignoring case and Unicode form, as'
  return bothRefused(second, rule, first)
}

function entryOf(entries: readonly Named[], key: string): Named {
  return entries.find(({ path }) => pathKey(path) === key) as Named
}

function bothRefused(entry: Named, rule: string, other: Named): PackageRefused {
  return archiveRefused(`${entryLabel(entry.index, entry.path)}: ${rule} ${entryLabel(other.index, other.path)}`)
}
