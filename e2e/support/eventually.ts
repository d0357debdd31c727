import { eventually as eventuallyOften } from '@plantroom/testkit/eventually'

/** Long enough for whole processes on a very busy machine: only a condition that never holds takes this long. */
export const PATIENCE_MS = 90_000

/** A check asks several processes. A hundred a second would delay what the test waits for. */
const LONGEST_WAIT_MS = 100

/** Waits until `check` stops throwing, and returns its result. At the deadline its last error fails the test. */
export function eventually<Result>(check: () => Result, deadlineMs = PATIENCE_MS): Promise<Awaited<Result>> {
  return eventuallyOften(check, deadlineMs, LONGEST_WAIT_MS)
}
