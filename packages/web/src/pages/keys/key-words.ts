import type { ListedKey } from '@plantroom/client/admin'
import { keys } from '../../texts/keys.ts'

/** The permissions that a key may have, in the order in which they are offered. */
export const PERMISSIONS = ['edge-device:read_write', 'ticket:read', 'ticket:read_write'] as const

/** A permission for people; one that this console does not know yet is shown as it is. */
export const permissionWords = (permission: string) => keys.words[permission] ?? permission

export function sitesWords(siteIds: readonly string[] | null, sites: readonly { id: string; name: string }[]): string {
  if (siteIds === null) return keys.allSites
  if (siteIds.length === 0) return keys.noSites
  return siteIds.map((siteId) => sites.find(({ id }) => id === siteId)?.name ?? keys.goneSite).join(', ')
}

/** Those that work first, the newest first among them. */
export function inOrder(listed: readonly ListedKey[]): ListedKey[] {
  return listed.toSorted(
    (a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || b.createdAt.localeCompare(a.createdAt),
  )
}

/** A line that shows that the key works, with something that it is allowed. */
export function curlLine(
  key: { apiKey: string; permissions: readonly string[]; siteIds: readonly string[] | null },
  at: { origin: string; orgId: string; siteId: string },
): string {
  const org = `${at.origin}/api/orgs/${at.orgId}`
  const siteId = key.siteIds?.[0] ?? at.siteId
  const address = key.permissions.includes('edge-device:read_write')
    ? `${org}/reports?limit=5`
    : `${org}/properties/${siteId}/tickets?limit=5`
  return `curl -sS '${address}' -H 'X-Api-Key: ${key.apiKey}'`
}
