import type { DriverListener } from '../driver.ts'

/** Counts what a driver reports. */
export interface CountingListener extends DriverListener {
  timeouts: number
  exceptions: number
  /** The reason of each loss. */
  losses: string[]
}

export function createCountingListener(): CountingListener {
  const told: CountingListener = {
    timeouts: 0,
    exceptions: 0,
    losses: [],
    timedOut() {
      told.timeouts += 1
    },
    exception() {
      told.exceptions += 1
    },
    lost: ({ message }) => void told.losses.push(message),
  }
  return told
}
