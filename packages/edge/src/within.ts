import { type Clock, sleep } from '@plantroom/base/clock'

/** Waits for `done`, but no longer than `ms`. Rejects when `done` does. */
export async function within(clock: Clock, ms: number, done: Promise<unknown>): Promise<void> {
  const settled = new AbortController()
  await Promise.race([done, sleep(clock, ms, settled.signal)]).finally(() => settled.abort())
}
