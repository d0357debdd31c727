import type { LiveDevice } from '@plantroom/contract/control-state'
import { useLiveDevice } from '../../live/live-devices.ts'
import { deviceNow, type Freshness, freshnessOf } from '../../live/live-view.ts'
import { useNow } from '../../live/use-now.ts'

/** The latest state of a controller, and whether it is current. */
export interface LiveState {
  device: LiveDevice | undefined
  freshness: Freshness
  /** True unless the state is live: the controller does not answer, or the service is silent. */
  isLost: boolean
  /** How old the state is, in milliseconds. */
  ageMs: number
  /** For how long the service has been silent, in milliseconds; `undefined` before its first word. */
  silentMs: number | undefined
  /** The current time by the clock of the service. */
  now: number
  /** The current time by the clock of the controller, for the ages of its values. */
  controllerNow: number
}

export function useLiveState(orgId: string, deviceId: string): LiveState {
  const view = useLiveDevice(orgId, deviceId)
  const tick = useNow()
  const freshness = freshnessOf(view, tick)
  return {
    device: view.device,
    freshness,
    isLost: freshness !== 'live' && freshness !== 'waiting',
    ageMs: Math.max(0, tick - view.receivedAt),
    silentMs: view.heardAt === 0 ? undefined : Math.max(0, tick - view.heardAt),
    now: tick,
    controllerNow: deviceNow(view, tick),
  }
}
