import { curlLine } from '@plantroom/client/curl'
import type { ApiKey } from '@plantroom/contract/api'
import { READS_ARCHIVE } from '@plantroom/contract/permissions'
import { findText, format } from '../../texts/format.ts'
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

/** True for a key that can send commands. */
export const mayControl = ({ permissions }: Pick<ApiKey, 'permissions'>) =>
  permissions.includes('edge-device:read_write')

/** Returns when a key was last used, and from which address. */
export function describeLastUse(
  { lastUsedAt, lastUsedFrom }: Pick<ApiKey, 'lastUsedAt' | 'lastUsedFrom'>,
  timeOf: (at: string) => string,
): string {
  if (lastUsedAt === null) return keys.never
  const time = timeOf(lastUsedAt)
  return lastUsedFrom === null ? time : format(keys.usedFrom, { time, address: lastUsedFrom })
}

/** Returns whether a key works, until when, and what it has left behind, one line for each. */
export function describeState(key: ApiKey, timeOf: (at: string) => string): string[] {
  const { state, expiresAt, revokedAt, previousSecretUntil, overrides, pendingDevices } = key
  const lines = [keys.active as string]
  if (state === 'revoked' && revokedAt) lines[0] = format(keys.revoked, { time: timeOf(revokedAt) })
  else if (expiresAt) lines[0] = format(state === 'expired' ? keys.expired : keys.expires, { time: timeOf(expiresAt) })
  if (state === 'active' && previousSecretUntil) lines.push(format(keys.overlap, { time: timeOf(previousSecretUntil) }))
  if (pendingDevices > 0) lines.push(format(keys.pending, { count: pendingDevices }))
  else if (overrides > 0) lines.push(format(keys.overrides, { count: overrides }))
  return lines
}

/** Sorts keys: those that work first, each group newest first. */
export function inOrder(listed: readonly ApiKey[]): ApiKey[] {
  return listed.toSorted(
    (a, b) => Number(a.state !== 'active') - Number(b.state !== 'active') || b.createdAt.localeCompare(a.createdAt),
  )
}

/** Returns a command that tries the key with something it is permitted to do. */
export function tryLine(
  key: { apiKey: string; permissions: readonly string[]; siteIds: readonly string[] | null },
  at: { origin: string; orgId: string; siteId: string },
): string {
  const { orgId } = at
  const target = { origin: at.origin, apiKey: key.apiKey }
  const query = { limit: 5 }
  const readsArchive = READS_ARCHIVE.some((permission) => key.permissions.includes(permission))
  if (readsArchive) return curlLine('listReports', { orgId, query }, target)
  return curlLine('listRequests', { orgId, propertyId: key.siteIds?.[0] ?? at.siteId, query }, target)
}
