import { readSoftware, type Software } from './software.ts'

/**
 * The payload of a device's status topic. `link` identifies one connection to the broker, because the last will of an
 * older connection may arrive after a newer one has announced itself.
 */
export interface DeviceStatus {
  online: boolean
  link: string
  /** An earlier device does not say it. */
  software?: Software
}

export function parseDeviceStatus(text: string): Required<DeviceStatus> | undefined {
  try {
    const status: unknown = JSON.parse(text)
    if (typeof status !== 'object' || status === null) return undefined
    const { online, link, software } = status as Partial<Record<keyof DeviceStatus, unknown>>
    if (typeof online !== 'boolean' || typeof link !== 'string') return undefined
    return { online, link, software: readSoftware(software) }
  } catch {
    return undefined
  }
}
