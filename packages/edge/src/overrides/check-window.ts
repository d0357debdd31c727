import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'

export const MAX_OVERRIDES = 10_000
export const MAX_WINDOW_MS = 24 * 60 * 60_000

/** The window of a new override, and the state of the device that decides whether it is accepted. */
export interface RequestedWindow {
  from: number
  to: number
  /** The wall time by which overrides are judged. */
  now: number
  clockSuspect: boolean
  /** How many overrides the device already has, queued ones included. */
  placed: number
}

/** Throws a `Failure` that says why this device does not accept the override. */
export function checkWindow({ from, to, now, clockSuspect, placed }: RequestedWindow): void {
  if (clockSuspect) {
    throw rejected(
      "the controller's clock is wrong: it is behind what it has already seen, or differs from the cloud's by more than a minute. A window could be held at the wrong time; set its clock, then send the command again",
    )
  }
  if (to <= from) throw rejected(`to ${formatTimestamp(to)} is not after from ${formatTimestamp(from)}`)
  if (to <= now) throw rejected(`to ${formatTimestamp(to)} is in the past; it is ${formatTimestamp(now)} on the device`)
  if (to - from > MAX_WINDOW_MS) {
    throw rejected(`the window is ${hours(to - from)} hours long; a window is at most 24 hours`)
  }
  if (placed >= MAX_OVERRIDES) {
    throw rejected(
      `the device already has ${MAX_OVERRIDES} overrides, the maximum; cancel some or wait until they have ended`,
    )
  }
}

const rejected = (message: string) => new Failure('rejected', message)
const hours = (ms: number) => Number((ms / 3_600_000).toFixed(2))
