import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ChangeFeed } from '../../db/change-feed.ts'
import { openMirror } from '../../db/mirror.ts'
import { apiKeyId, secretMatches } from '../secrets.ts'
import type { ActiveKey, KeyStore } from './key-store.ts'

const MINUTE_MS = 60_000

/** All active keys, in memory: a check costs one hash and no database access. */
export interface KeyRegistry {
  /** Returns the key for this text; `undefined` when it is malformed, unknown, wrong or revoked. */
  verify(text: string): ActiveKey | undefined
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
  let lastUsed = new Map<string, number>()

  async function saveLastUsed() {
    if (lastUsed.size === 0) return
    const uses = lastUsed
    lastUsed = new Map()
    try {
      await store.setLastUsed(uses)
    } catch (error) {
      for (const [id, at] of uses) if (!lastUsed.has(id)) lastUsed.set(id, at)
      throw error
    }
  }

  const stopSaving = every(clock, MINUTE_MS, () => {
    saveLastUsed().catch((error: Error) =>
      log.warn({ error: error.message }, 'could not store when keys were last used'),
    )
  })

  return {
    verify(text) {
      const id = apiKeyId(text)
      const key = id === undefined ? undefined : keys.get(id)
      if (!key || !secretMatches(text, key.hash)) return undefined
      lastUsed.set(key.id, clock.now())
      return key
    },
    refresh: keys.refresh,
    saveLastUsed,
    async close() {
      stopSaving()
      await saveLastUsed()
    },
  }
}
