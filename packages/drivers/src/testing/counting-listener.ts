import type { DriverListener } from '../driver.ts'

/** Counts the events of a driver. */
export interface CountingListener extends DriverListener {
  timeouts: number
  exceptions: number
  /** The reason for each lost link. */
  losses: string[]
}

export function createCountingListener(): CountingListener {
  const events: CountingListener = {
    timeouts: 0,
    exceptions: 0,
    losses: [],
    timedOut() {
      events.timeouts += 1
    },
    exception() {
      events.exceptions += 1
    },
    lost: ({ message }) => void events.losses.push(message),
  }
  return events
}
