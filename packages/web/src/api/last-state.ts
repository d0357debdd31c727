import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { BrowserStorage } from '../browser-storage.ts'

/** What the overview of a site shows. */
const KEPT: ReadonlySet<unknown> = new Set(['listDevices', 'listTechnicalSystems', 'listAlerts', 'live'])
const KEY = 'plantroom-last-state'
/** In characters. Browsers keep five million for all of the console. */
const MOST = 1_000_000
const WEEK_MS = 7 * 86_400_000
const EVERY_MS = 10_000

type Reply = readonly [key: QueryKey, data: unknown, at: number]

/** What this browser keeps for the person who is signed in. */
interface Stored {
  userId: string
  /** Replies of another version may have another form. */
  version: string
  replies: readonly Reply[]
}

/** The last known state of the overview in this browser, for one account. */
export interface LastState {
  /** The account that was signed in last and has not signed out. */
  account(): string | undefined
  /** Fills the cache with what was known, unless that was another account's. From then on it keeps what this one sees. */
  restore(userId: string): void
  /** Forgets what was known. With `ended`, the account stays: its session ended without a sign-out. */
  forget(how?: 'ended'): void
  /** Stores what is known now, before the page closes. */
  save(): void
  /** Returns when the oldest shown reply was known that has not been loaded again yet. */
  shownSince(): number | undefined
}

export function createLastState(
  queries: QueryClient,
  { storage, version, now }: { storage: BrowserStorage | undefined; version: string; now: () => number },
): LastState {
  /** When the restored replies were known, by the hash of their key. */
  const restored = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let userId: string | undefined
  const cache = queries.getQueryCache()

  function read(): Stored | undefined {
    try {
      return (JSON.parse(storage?.getItem(KEY) ?? 'null') as Stored | null) ?? undefined
    } catch {
      return undefined
    }
  }

  /** Without an account, nothing is kept. */
  function write(account: string | undefined, replies: readonly Reply[]): void {
    try {
      if (account === undefined) storage?.removeItem(KEY)
      else storage?.setItem(KEY, JSON.stringify({ userId: account, version, replies } satisfies Stored))
    } catch {
      // Without storage, the next page waits for the service.
    }
  }

  function save(): void {
    clearTimeout(timer)
    timer = undefined
    // Another tab has signed out, or in as another account.
    if (userId === undefined || read()?.userId !== userId) return
    const known = cache.getAll().filter(({ queryKey, state }) => KEPT.has(queryKey[0]) && state.data !== undefined)
    let room = MOST
    const replies = known
      .map(({ queryKey, state }): Reply => [queryKey, state.data, state.dataUpdatedAt])
      .toSorted(([, , one], [, , other]) => other - one)
      .filter((reply) => {
        const size = JSON.stringify(reply).length
        const fits = size <= room
        if (fits) room -= size
        return fits
      })
    write(userId, replies)
  }

  cache.subscribe(({ type, query }) => {
    if (type !== 'updated' || userId === undefined || !KEPT.has(query.queryKey[0])) return
    timer ??= setTimeout(save, EVERY_MS)
  })

  return {
    account: () => read()?.userId,

    restore(signedIn) {
      if (userId === signedIn) return
      const stored = read()
      userId = signedIn
      const isOwn = stored?.userId === signedIn && stored.version === version
      if (!isOwn) return write(signedIn, [])
      for (const [key, data, at] of stored.replies) {
        if (now() - at > WEEK_MS || queries.getQueryData(key) !== undefined) continue
        queries.setQueryData(key, data, { updatedAt: at })
        // Loaded again as soon as it is shown, however young it is.
        cache.get(hashKey(key))?.invalidate()
        restored.set(hashKey(key), at)
      }
    },

    forget(how) {
      clearTimeout(timer)
      timer = undefined
      restored.clear()
      userId = undefined
      write(how === 'ended' ? read()?.userId : undefined, [])
    },

    save,

    shownSince() {
      const shown = [...restored].flatMap(([hash, at]) => {
        const query = cache.get(hash)
        return query?.isActive() && query.state.dataUpdatedAt === at ? [at] : []
      })
      return shown.length === 0 ? undefined : Math.min(...shown)
    },
  }
}
