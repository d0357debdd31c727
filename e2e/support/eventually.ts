import { eventually as eventuallyWithin } from '@plantroom/testkit/eventually'

/** Whole processes on a busy machine: a condition that holds has come true long before. */
export const PATIENCE_MS = 40_000

/** Waits until `check` stops throwing, and returns what it gave; at the deadline its last error fails the test. */
export function eventually<Result>(check: () => Result): Promise<Awaited<Result>> {
  return eventuallyWithin(check, PATIENCE_MS)
}
