const FIRST_MS = 250
const LAST_MS = 30_000

/** How long to wait after so many failures in a row, from 1 on. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LAST_MS)
}

/** So often equipment may acknowledge a value and not show it before it is called ignored: some are slow. */
export const NOT_TAKEN_AFTER = 3
