import { pathOf } from '@plantroom/client/client'
import type { Device } from '@plantroom/contract/api'
import type { SignedIn } from '@plantroom/contract/roles'
import { readEarly } from './api/fetch-in-time.ts'
import { followEarly } from './live/early-events.ts'

/** More controllers take turns, and their replies would delay the script. */
const MOST_DEVICES = 3

/**
 * Reads what the page at an address shows first, while its script is still loading. Resolves with `portfolio` when that is
 * the list of all sites.
 */
export async function readPageEarly({ pathname, search }: Pick<Location, 'pathname' | 'search'>) {
  const [, orgId, siteId] = /^\/o\/([^/]+)\/s\/([^/]+)\/?$/.exec(pathname) ?? []
  if (orgId !== undefined && siteId !== undefined) return readSite(orgId, siteId)
  if (pathname !== '/') return undefined
  const session = await readEarly<SignedIn>(pathOf('getSession', {}))
  const sites = session?.organizations.flatMap(({ id, sites }) => sites.map((site) => [id, site.id] as const)) ?? []
  const [first, ...others] = sites
  // The page opens the only site, too.
  if (first && others.length === 0 && search === '') return readSite(...first)
  for (const id of new Set(sites.map(([organization]) => organization))) {
    void readEarly(pathOf('getOverview', { orgId: id }))
  }
  return sites.length > 0 ? 'portfolio' : undefined
}

async function readSite(orgId: string, siteId: string): Promise<undefined> {
  const reply = await readEarly<{ devices: readonly Device[] }>(pathOf('listDevices', { orgId, query: { siteId } }))
  for (const { id: deviceId } of reply?.devices.slice(0, MOST_DEVICES) ?? []) {
    void readEarly(pathOf('listTechnicalSystems', { orgId, deviceId }))
    followEarly(pathOf('followDevice', { orgId, deviceId }))
  }
}
