import type { LiveDevice } from '@plantroom/contract/control-state'
import { useLiveDevice } from '../../live/live-devices.ts'
import { useNow } from '../../live/use-now.ts'

/** The stream sends something every two seconds, so this much silence means that it is broken. */
const SILENT_AFTER_MS = 15_000

/** The latest state of a controller, and whether it is current. */
export interface LiveState {
  device: LiveDevice | undefined
  /** True while the controller does not answer. */
  isOffline: boolean
  /** True when the state may be stale: the controller does not answer, or the stream is lost. */
  isLost: boolean
  /** The current time by the clock of the controller, as far as it is known. */
  now: number
}

export function useLiveState(orgId: string, deviceId: string): LiveState {
  const { device, receivedAt, isOffline, stream } = useLiveDevice(orgId, deviceId)
  const tick = useNow()
  const isSilent = device !== undefined && tick - receivedAt > SILENT_AFTER_MS
  return {
    device,
    isOffline,
    isLost: isOffline || stream === 'lost' || isSilent,
    now: deviceNow(device, receivedAt, tick),
  }
}

/**
 * Returns the current time by the controller's clock: its last reading plus the time since. The clock of the browser
 * may be wrong.
 */
export function deviceNow(device: Pick<LiveDevice, 'at'> | undefined, receivedAt: number, now: number): number {
  return device ? Date.parse(device.at) + Math.max(0, now - receivedAt) : now
}
