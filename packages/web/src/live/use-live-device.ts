import type { LiveDevice } from '@plantroom/contract/control-state'
import { useState } from 'react'
import { type StreamState, useEventStream } from './use-event-stream.ts'

export interface LiveView {
  /** The last that was heard of the device; `undefined` before anything was. */
  device: LiveDevice | undefined
  /** Why the device does not answer now. */
  offline: string | undefined
  stream: StreamState
}

/** What a device is at, second by second. `deviceId` undefined: nothing is followed. */
export function useLiveDevice(orgId: string, deviceId: string | undefined): LiveView {
  const [heard, setHeard] = useState<{ of: string | undefined; device?: LiveDevice; offline?: string }>({
    of: deviceId,
  })
  const path = deviceId && `/api/orgs/${orgId}/devices/${deviceId}/live`
  const stream = useEventStream(path || undefined, {
    state: (data) => setHeard({ of: deviceId, device: data as LiveDevice }),
    offline: (data) =>
      setHeard((before) => ({
        ...(before.of === deviceId && before.device && { device: before.device }),
        of: deviceId,
        offline: (data as { message: string }).message,
      })),
  })
  const { device, offline } = heard.of === deviceId ? heard : {}
  return { device, offline, stream }
}
