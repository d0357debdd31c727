import { newId } from '@plantroom/base/ids'
import type { DeviceStatus } from '@plantroom/contract/presence'
import { OWN_SOFTWARE } from '@plantroom/contract/software'
import { topics } from '@plantroom/contract/topics'

/** The retained status of the device: online from this link, and offline by its last will. */
export interface Presence {
  readonly will: { topic: string; payload: Buffer; qos: 1; retain: true }
  status(online: boolean): string
  /** Gives the next link a new id, so that the late will of an old link does not count against it. */
  renew(): void
}

export function createPresence(deviceId: string): Presence {
  let link = newId('link')
  const status = (online: boolean) => JSON.stringify({ online, link, software: OWN_SOFTWARE } satisfies DeviceStatus)
  // The client keeps this object and reads it at each connect, so renewing changes it in place.
  const will: Presence['will'] = {
    topic: topics.status(deviceId),
    payload: Buffer.from(status(false)),
    qos: 1,
    retain: true,
  }
  return {
    will,
    status,
    renew() {
      link = newId('link')
      will.payload = Buffer.from(status(false))
    },
  }
}
