import { parseDeviceStatus } from '@plantroom/contract/presence'

/** Which devices are there, by their own word and their last will. */
export interface Presence {
  isOnline(deviceId: string): boolean
  /** A status message of this device has come. */
  heard(deviceId: string, payload: Buffer): void
  /** Nothing is known any more: the broker that told us is gone. */
  forgetAll(): void
  readonly onlineCount: number
}

/** `onGone` is told of every link that has ended: also when the same device is back on a new one. */
export function createPresence(onGone: (deviceId: string) => void): Presence {
  const links = new Map<string, string>()

  return {
    isOnline: (deviceId) => links.has(deviceId),
    heard(deviceId, payload) {
      const status = parseDeviceStatus(payload.toString())
      if (!status) return
      const known = links.get(deviceId)
      if (status.online) {
        if (known === status.link) return
        links.set(deviceId, status.link)
        if (known !== undefined) onGone(deviceId)
      } else if (known === status.link) {
        // The will of an older link can arrive late: it says nothing about the one that is up.
        links.delete(deviceId)
        onGone(deviceId)
      }
    },
    forgetAll() {
      const gone = [...links.keys()]
      links.clear()
      for (const deviceId of gone) onGone(deviceId)
    },
    get onlineCount() {
      return links.size
    },
  }
}
