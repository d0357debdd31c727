import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { SessionStore } from './session-store.ts'

const HOUR_MS = 3_600_000

/** Removes what has expired (it is of no use to anyone) every hour; the returned function ends it. */
export function startSessionSweep(deps: {
  store: Pick<SessionStore, 'removeExpired'>
  clock: Clock
  log: Log
}): () => void {
  const { store, clock, log } = deps
  return every(clock, HOUR_MS, () => {
    store
      .removeExpired(new Date(clock.now()))
      .catch((error: Error) => log.warn({ error: error.message }, 'could not remove expired sessions'))
  })
}
