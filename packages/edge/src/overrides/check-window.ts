import { Failure } from '@plantroom/contract/failure'
import { EDGE_SETTINGS } from '@plantroom/contract/settings'
import { formatTimestamp } from '@plantroom/contract/timestamp'

export const MAX_WINDOW_MS = 24 * 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** How many overrides the device keeps, queued ones included, and how far ahead they may start. */
export interface Quotas {
  inAll: number
  perCaller: number
  daysAhead: number
}

export const DEFAULT_QUOTAS: Quotas = {
  inAll: Number(EDGE_SETTINGS.PLANTROOM_MAX_OVERRIDES.default),
  perCaller: Number(EDGE_SETTINGS.PLANTROOM_MAX_OVERRIDES_PER_CALLER.default),
  daysAhead: Number(EDGE_SETTINGS.PLANTROOM_MAX_DAYS_AHEAD.default),
}

/** A number of overrides that the device already has, and when the first of them ends, where that is known. */
export interface Placed {
  count: number
  nextEnd(): number | undefined
}

/** The window of a new override, and the state of the device that decides whether it is accepted. */
export interface RequestedWindow {
  from: number
  to: number
  /** The wall time by which overrides are judged. */
  now: number
  /** The controller does not know the time. */
  clockSuspect: boolean
  quotas: Quotas
  inAll: Placed
  ofCaller: Placed
  /** What is placed, for people. */
  what?: string
}

/** Throws a `Failure` that says why this device does not accept the override. */
export function checkWindow(window: RequestedWindow): void {
  const { from, to, now, clockSuspect } = window
  if (clockSuspect) {
    throw rejected(
      "the controller's clock is wrong, and the cloud has not sent it the time yet, so a window could be held at the wrong time; send the command again in a few seconds",
    )
  }
  if (to <= from) throw rejected(`to ${formatTimestamp(to)} is not after from ${formatTimestamp(from)}`)
  if (to <= now) throw rejected(`to ${formatTimestamp(to)} is in the past; it is ${formatTimestamp(now)} on the device`)
  if (to - from > MAX_WINDOW_MS) {
    throw rejected(`the window is ${lengthOf(to - from)} long; a window is at most 24 hours`)
  }
  checkQuotas(window)
}

function checkQuotas({ from, now, quotas, inAll, ofCaller, what = 'overrides' }: RequestedWindow): void {
  const { daysAhead } = quotas
  if (from - now > daysAhead * DAY_MS) {
    const earliest = formatTimestamp(from - daysAhead * DAY_MS)
    throw rejected(
      `from ${formatTimestamp(from)} is more than ${daysAhead} days ahead, the maximum of this device; send the command again at ${earliest}`,
    )
  }
  if (ofCaller.count >= quotas.perCaller) {
    throw rejected(
      `you already have ${ofCaller.count} ${what} on this device, and the maximum for one caller is ${quotas.perCaller}; cancel some, or ${comeBack(ofCaller)}`,
    )
  }
  if (inAll.count >= quotas.inAll) {
    throw rejected(
      `the device already has ${inAll.count} ${what}, and the maximum for all callers is ${quotas.inAll}; cancel some, or ${comeBack(inAll)}`,
    )
  }
}

function comeBack({ nextEnd }: Placed): string {
  const end = nextEnd()
  return end === undefined
    ? 'send the command again when some have ended'
    : `send the command again at ${formatTimestamp(end)}, when the next one ends`
}

const rejected = (message: string) => new Failure('rejected', message)

/** The exact length: a rounded one could be the maximum. */
function lengthOf(ms: number): string {
  const seconds = (ms % 60_000) / 1_000
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor(ms / 60_000) % 60} min ${seconds} s`
}
