import { parseDeviceStatus } from '@plantroom/contract/presence'
import type { Software } from '@plantroom/contract/software'

/** Which devices are online, according to their status messages and last wills. */
export interface Presence {
  isOnline(deviceId: string): boolean
  /** Whether this process has heard of the device, online or not. */
  wasHeard(deviceId: string): boolean
  /** Applies a status message of this device. */
  update(deviceId: string, payload: Buffer, isRetained?: boolean): StatusOutcome
  /** The device answered, although it counted as offline. */
  answered(deviceId: string): void
  /** The device does not answer, whatever its last status says. */
  silence(deviceId: string): void
  /** The device no longer exists. */
  forget(deviceId: string): void
  /** Marks all devices as offline, because the connection to the broker is lost. */
  forgetAll(): void
  readonly onlineCount: number
  /** What a device last said about its software; `undefined` when this process has not heard of it. */
  softwareOf(deviceId: string): Software | undefined
}

/** In doubt: a retained status and what we heard before contradict each other. The device itself has to say. */
export type StatusOutcome = 'changed' | 'same' | 'in doubt'

/** The link of a device that answers and whose status is not known. Any last will ends it. */
const UNKNOWN_LINK = ''

/**
 * Calls `onGone` for every link that ends, including when the same device returns on a new one, and then `onBack` for
 * every new link.
 */
export function createPresence(
  onGone: (deviceId: string) => void,
  onBack: (deviceId: string) => void = () => {},
): Presence {
  const links = new Map<string, string>()
  const software = new Map<string, Software>()
  /** Links that did not answer. A retained status does not bring them back. */
  const silent = new Map<string, string>()

  function begin(deviceId: string, link: string): StatusOutcome {
    const known = links.get(deviceId)
    silent.delete(deviceId)
    if (known === link) return 'same'
    links.set(deviceId, link)
    if (known !== undefined && known !== UNKNOWN_LINK) onGone(deviceId)
    onBack(deviceId)
    return 'changed'
  }

  function end(deviceId: string): StatusOutcome {
    if (!links.delete(deviceId)) return 'same'
    onGone(deviceId)
    return 'changed'
  }

  /** A broker may deliver a retained status after a newer live one, so it never replaces what a device said. */
  function compare(deviceId: string, online: boolean, link: string): StatusOutcome {
    const known = links.get(deviceId)
    if (known === undefined) return online && silent.get(deviceId) !== link ? begin(deviceId, link) : 'same'
    if (known === link) return online ? 'same' : end(deviceId)
    if (known !== UNKNOWN_LINK || !online) return 'in doubt'
    links.set(deviceId, link)
    return 'same'
  }

  return {
    isOnline: (deviceId) => links.has(deviceId),
    wasHeard: (deviceId) => links.has(deviceId) || software.has(deviceId),
    update(deviceId, payload, isRetained = false) {
      const status = parseDeviceStatus(payload.toString())
      if (!status) return 'same'
      const { online, link } = status
      if (online || !software.has(deviceId)) software.set(deviceId, status.software)
      if (isRetained) return compare(deviceId, online, link)
      if (online) return begin(deviceId, link)
      if (silent.get(deviceId) === link) silent.delete(deviceId)
      const known = links.get(deviceId)
      // The will of an older link can arrive late and does not affect the current one.
      return known === link || known === UNKNOWN_LINK ? end(deviceId) : 'same'
    },
    answered(deviceId) {
      if (!links.has(deviceId)) begin(deviceId, silent.get(deviceId) ?? UNKNOWN_LINK)
    },
    silence(deviceId) {
      const link = links.get(deviceId)
      if (link === undefined) return
      silent.set(deviceId, link)
      end(deviceId)
    },
    forget(deviceId) {
      silent.delete(deviceId)
      software.delete(deviceId)
      end(deviceId)
    },
    forgetAll() {
      const gone = [...links.keys()]
      links.clear()
      silent.clear()
      for (const deviceId of gone) onGone(deviceId)
    },
    softwareOf: (deviceId) => software.get(deviceId),
    get onlineCount() {
      return links.size
    },
  }
}
