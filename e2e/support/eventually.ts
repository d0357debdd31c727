import { eventually as eventuallyWithin } from '@plantroom/testkit/eventually'

/** Long enough for whole processes on a very busy machine: only a condition that never holds takes this long. */
export const PATIENCE_MS = 90_000

/** Waits until `check` stops throwing, and returns its result. At the deadline its last error fails the test. */
export function eventually<Result>(check: () => Result): Promise<Awaited<Result>> {
  return eventuallyWithin(check, PATIENCE_MS)
}
