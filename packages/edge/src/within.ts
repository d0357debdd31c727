import { type Clock, sleep } from '@plantroom/base/clock'

/** Waits for `done`, but no longer than `ms`. Rejects as it does. */
export async function within(clock: Clock, ms: number, done: Promise<unknown>): Promise<void> {
  const enough = new AbortController()
  await Promise.race([done, sleep(clock, ms, enough.signal)]).finally(() => enough.abort())
}
