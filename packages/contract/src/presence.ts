/**
 * The payload of a device's status topic. `link` identifies one connection to the broker, because the last will of an
 * older connection may arrive after a newer one has announced itself.
 */
export interface DeviceStatus {
  online: boolean
  link: string
}

export function parseDeviceStatus(text: string): DeviceStatus | undefined {
  try {
    const status: unknown = JSON.parse(text)
    if (typeof status !== 'object' || status === null) return undefined
    const { online, link } = status as Partial<Record<keyof DeviceStatus, unknown>>
    return typeof online === 'boolean' && typeof link === 'string' ? { online, link } : undefined
  } catch {
    return undefined
  }
}
