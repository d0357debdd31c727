import { pathOf } from '@plantroom/client/client'
import type { ApiKey } from '@plantroom/contract/api'
import { findText } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'

/** Returns the label of a permission; an unknown one is shown unchanged. */
export const describePermission = (permission: string) => findText(keys.permission, permission) ?? permission

/** Returns the names of the sites of a key. */
export function describeSites(
  siteIds: readonly string[] | null,
  sites: readonly { id: string; name: string }[],
): string {
  if (siteIds === null) return keys.allSites
  if (siteIds.length === 0) return keys.noSites
  return siteIds.map((siteId) => sites.find(({ id }) => id === siteId)?.name ?? keys.goneSite).join(', ')
}

/** Sorts keys: those that work first, each group newest first. */
export function inOrder(listed: readonly ApiKey[]): ApiKey[] {
  return listed.toSorted(
    (a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || b.createdAt.localeCompare(a.createdAt),
  )
}

/** Returns a command that tries the key with something it is permitted to do. */
export function curlLine(
  key: { apiKey: string; permissions: readonly string[]; siteIds: readonly string[] | null },
  at: { origin: string; orgId: string; siteId: string },
): string {
  const { origin, orgId } = at
  const query = { limit: 5 }
  const path = key.permissions.includes('edge-device:read_write')
    ? pathOf('listReports', { orgId, query })
    : pathOf('listRequests', { orgId, propertyId: key.siteIds?.[0] ?? at.siteId, query })
  return `curl -sS '${origin}${path}' -H 'X-Api-Key: ${key.apiKey}'`
}
