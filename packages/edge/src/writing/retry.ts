const FIRST_MS = 250
const LAST_MS = 30_000
// A link that is down costs nothing to try, and the equipment must not wait long once it is back.
const LAST_OFFLINE_MS = 5_000

/** How long to wait after so many failures in a row, from 1 on. */
export function retryDelay(failures: number, isOffline = false): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), isOffline ? LAST_OFFLINE_MS : LAST_MS)
}

/** How often equipment may acknowledge a value without showing it before that is reported: some equipment is slow. */
export const NOT_TAKEN_AFTER = 3
