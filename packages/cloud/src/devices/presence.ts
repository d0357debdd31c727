import { parseDeviceStatus } from '@plantroom/contract/presence'

/** Which devices are online, according to their status messages and last wills. */
export interface Presence {
  isOnline(deviceId: string): boolean
  /** Applies a status message of this device. */
  update(deviceId: string, payload: Buffer): void
  /** Marks all devices as offline, because the connection to the broker is lost. */
  forgetAll(): void
  readonly onlineCount: number
}

/**
 * Calls `onGone` for every link that ends, including when the same device returns on a new one, and then `onBack` for
 * every new link.
 */
export function createPresence(
  onGone: (deviceId: string) => void,
  onBack: (deviceId: string) => void = () => {},
): Presence {
  const links = new Map<string, string>()

  return {
    isOnline: (deviceId) => links.has(deviceId),
    update(deviceId, payload) {
      const status = parseDeviceStatus(payload.toString())
      if (!status) return
      const known = links.get(deviceId)
      if (status.online) {
        if (known === status.link) return
        links.set(deviceId, status.link)
        if (known !== undefined) onGone(deviceId)
        onBack(deviceId)
      } else if (known === status.link) {
        // The will of an older link can arrive late and does not affect the current one.
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
