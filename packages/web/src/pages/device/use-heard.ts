import type { LiveDevice } from '@plantroom/contract/control-state'
import { useRef } from 'react'
import { useLiveDevice } from '../../live/use-live-device.ts'
import { useNow } from '../../live/use-now.ts'
import { deviceNow, SILENT_AFTER_MS } from './age.ts'

/** What was heard of a device, and how far it can be relied on. */
export interface Heard {
  device: LiveDevice | undefined
  /** Why the device does not answer. */
  offline: string | undefined
  /** What is known of the device may be old: it does not answer, or the stream that tells is lost. */
  isLost: boolean
  /** By the clock of the device, as far as it is known. */
  now: number
}

export function useHeard(orgId: string, deviceId: string): Heard {
  const { device, offline, stream } = useLiveDevice(orgId, deviceId)
  const tick = useNow()
  const last = useRef<{ device: LiveDevice | undefined; at: number }>({ device: undefined, at: 0 })
  if (last.current.device !== device) last.current = { device, at: Date.now() }
  const { at } = last.current
  const isSilent = device !== undefined && tick - at > SILENT_AFTER_MS
  return {
    device,
    offline,
    isLost: offline !== undefined || stream === 'lost' || isSilent,
    now: deviceNow(device, at, tick),
  }
}
