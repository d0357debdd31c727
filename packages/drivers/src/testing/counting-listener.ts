import type { DriverListener } from '../driver.ts'

/** Keeps what a driver tells. */
export interface CountingListener extends DriverListener {
  timeouts: number
  exceptions: number
  /** Why the link was lost, each time that it was told. */
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
