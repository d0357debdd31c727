import { readFileSync } from 'node:fs'
import type { ImitatedDevice } from '@plantroom/contract/fleet-simulation'
import { createAtomicFile } from '../../atomic-file.ts'

/** The devices of a fleet, which a later run uses again. */
export interface FleetCredentials {
  /** The service that they belong to. */
  service: string
  orgId: string
  siteId: string
  /** What they were commissioned with. */
  values: number
  intervalSeconds: number
  devices: Omit<ImitatedDevice, 'silent'>[]
}

/** Reads the file; `undefined` when there is none. */
export function readCredentials(path: string | undefined): FleetCredentials | undefined {
  if (path === undefined) return undefined
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const read = JSON.parse(text) as FleetCredentials
    if (Array.isArray(read.devices) && typeof read.service === 'string') return read
  } catch {
    // Reported below.
  }
  throw new Error(`${path} is not a file of plantroom simulate-fleet; name another one with --credentials`)
}

/** Writes the file for its owner only: it has the secrets of the devices. */
export function writeCredentials(path: string | undefined, credentials: FleetCredentials): void {
  if (path === undefined) return
  const file = createAtomicFile(path, 0o600)
  file.write(`${JSON.stringify(credentials)}\n`)
  file.commit()
}
