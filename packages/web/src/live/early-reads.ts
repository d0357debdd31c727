import { pathOf } from '@plantroom/client/client'
import type { Device } from '@plantroom/contract/api'
import { followEarly } from './early-events.ts'
import { readEarly } from '../api/fetch-in-time.ts'

/** More controllers take turns, and their replies would delay the script. */
const MOST = 3

/** Reads what the overview of a site shows first, while the script of the page is still loading. */
export async function readSiteEarly(path: string): Promise<void> {
  const [, orgId, siteId] = /^\/o\/([^/]+)\/s\/([^/]+)\/?$/.exec(path) ?? []
  if (orgId === undefined || siteId === undefined) return
  const reply = await readEarly(pathOf('listDevices', { orgId, query: { siteId } }))
  if (!reply) return
  const { devices } = (await reply.json()) as { devices: readonly Device[] }
  for (const { id: deviceId } of devices.slice(0, MOST)) {
    void readEarly(pathOf('listTechnicalSystems', { orgId, deviceId }))
    followEarly(pathOf('followDevice', { orgId, deviceId }))
  }
}
