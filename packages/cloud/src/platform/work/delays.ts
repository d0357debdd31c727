/** Each delay is longer or shorter by up to this share, so that what failed together does not return together. */
const JITTER = 0.2

/** Returns the time until the next attempt; `undefined` when the last one was the last. */
export function delayAfter(
  delays: readonly number[],
  attempts: number,
  random: () => number = Math.random,
): number | undefined {
  const delay = delays[attempts - 1]
  return delay === undefined ? undefined : delay * (1 + JITTER * (2 * random() - 1))
}
