import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ChangeFeed } from '../../../platform/db/change-feed.ts'
import { openMirror } from '../../../platform/db/mirror.ts'
import { apiKeyId, secretMatches } from '../secrets.ts'
import type { ActiveKey, KeyStore, KeyUse } from './key-store.ts'

const MINUTE_MS = 60_000

/** All active keys, in memory: a check costs one hash and no database access. */
export interface KeyRegistry {
  /** Returns the key for this text; `undefined` when it is malformed, unknown, wrong, expired or revoked. */
  verify(text: string, address: string): ActiveKey | undefined
  /** True while a key works with one of its secrets. */
  isActive(id: string): boolean
  refresh(id: string): Promise<void>
  /** Stores when keys were last used, in one statement for all of them. Runs once a minute. */
  saveLastUsed(): Promise<void>
  close(): Promise<void>
}

export async function openKeyRegistry(deps: {
  store: KeyStore
  feed: ChangeFeed
  clock: Clock
  log: Log
}): Promise<KeyRegistry> {
  const { store, feed, clock, log } = deps
  const keys = await openMirror<ActiveKey>({
    table: 'api_key',
    feed,
    clock,
    log,
    loadAll: store.loadActive,
    loadOne: store.loadActiveOne,
  })
  let lastUsed = new Map<string, KeyUse>()

  async function saveLastUsed() {
    if (lastUsed.size === 0) return
    const uses = lastUsed
    lastUsed = new Map()
    try {
      await store.setLastUsed(uses)
    } catch (error) {
      for (const [id, use] of uses) if (!lastUsed.has(id)) lastUsed.set(id, use)
      throw error
    }
  }

  const stopSaving = every(clock, MINUTE_MS, () => {
    saveLastUsed().catch((error: Error) =>
      log.warn({ error: error.message }, 'could not store when keys were last used'),
    )
  })

  return {
    verify(text, address) {
      const id = apiKeyId(text)
      const key = id === undefined ? undefined : keys.get(id)
      const now = clock.now()
      if (!key || isExpired(key, now) || !hasSecret(key, text, now)) return undefined
      lastUsed.set(key.id, { at: now, address })
      return key
    },
    isActive(id) {
      const key = keys.get(id)
      return key !== undefined && !isExpired(key, clock.now())
    },
    refresh: keys.refresh,
    saveLastUsed,
    async close() {
      stopSaving()
      await saveLastUsed()
    },
  }
}

// Judged at every use and in memory, so that the end takes effect at its moment without a database access.
const isExpired = ({ expiresAt }: ActiveKey, now: number) => expiresAt !== undefined && now >= expiresAt

function hasSecret({ hash, previous }: ActiveKey, text: string, now: number): boolean {
  if (secretMatches(text, hash)) return true
  return previous !== undefined && now < previous.until && secretMatches(text, previous.hash)
}
