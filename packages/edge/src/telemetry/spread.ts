import { createHash } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'

/** The longest delay. Values are seldom needed sooner, and it divides the load of a whole fleet by as many seconds. */
const MAX_DELAY_MS = 20_000

/** Delays what all controllers would do in the same second. */
export interface Spread {
  /** Runs the action after the delay of this device, unless it is waiting already. */
  request(intervalSeconds: number): void
  close(): void
}

/**
 * The delay depends only on the id of the device, so a device is always equally late and a fleet is spread evenly. It is
 * at most half of the interval.
 */
export function createSpread(deps: {
  deviceId: string
  clock: Clock
  action: () => void
  maxDelayMs?: number | undefined
}): Spread {
  const { deviceId, clock, action, maxDelayMs = MAX_DELAY_MS } = deps
  const share = shareOf(deviceId)
  let cancel: (() => void) | undefined

  return {
    request(intervalSeconds) {
      if (cancel) return
      cancel = clock.after(Math.floor(share * Math.min(maxDelayMs, intervalSeconds * 500)), () => {
        cancel = undefined
        action()
      })
    },
    close: () => cancel?.(),
  }
}

/** A number from 0 to below 1 that looks random and is always the same for a device. */
function shareOf(deviceId: string): number {
  return createHash('sha256').update(deviceId).digest().readUInt32BE() / 2 ** 32
}
