import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { type Clock, within } from '@plantroom/base/clock'

/** Returns the addresses of a host name, the preferred one first. May take as long as it likes. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

/** The longest wait for an answer while there is a last known address. */
export const LOOKUP_MS = 500

interface Name {
  known: readonly LookupAddress[] | undefined
  pending: { since: number; done: Promise<readonly LookupAddress[]> } | undefined
}

/**
 * Returns the `lookup` of sockets to equipment. Every connection asks for the current addresses. If they do not arrive
 * in time, or cannot be found, the last known ones are used. A late answer counts for the next connection.
 */
export function createNameLookup({ clock, resolve }: { clock: Clock; resolve: Resolve }): LookupFunction {
  const names = new Map<string, Name>()

  /** Asks for the addresses of a name. Joins a question that is already being answered. */
  function ask(name: string, entry: Name): NonNullable<Name['pending']> {
    const done = resolve(name)
      .then((addresses) => {
        entry.known = addresses
        return addresses
      })
      .finally(() => {
        entry.pending = undefined
      })
    entry.pending = { since: clock.monotonic(), done }
    return entry.pending
  }

  async function addressesOf(name: string): Promise<readonly LookupAddress[]> {
    const entry = names.get(name) ?? { known: undefined, pending: undefined }
    names.set(name, entry)
    const { since, done } = entry.pending ?? ask(name, entry)
    if (!entry.known) return done
    const settled = done.catch(() => {})
    const leftMs = since + LOOKUP_MS - clock.monotonic()
    if (leftMs > 0) await within(clock, leftMs, settled)
    return entry.known
  }

  return (hostname, { all, family }, callback) => {
    addressesOf(hostname.toLowerCase()).then(
      (addresses) => {
        const fitting = addresses.filter((each) => !family || String(family).endsWith(String(each.family)))
        const [first] = fitting
        if (!first) callback(notFound(hostname), '', 0)
        else if (all) callback(null, fitting)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0),
    )
  }
}

const notFound = (name: string) =>
  Object.assign(new Error(`${name} has no address of this family`), { code: 'ENOTFOUND' })
