import type { FastifyRequest } from 'fastify'

/** Whose overrides a caller sees with their ids and names: those of everyone, of one key, or of no one. */
export type OverrideView = 'all' | 'none' | `key:${string}`

/** The overrides on a site that a caller sees with their ids: people and the operator where they manage the site. */
export function overrideViewOf(
  { keyId, managedSiteIds }: Pick<FastifyRequest, 'keyId' | 'managedSiteIds'>,
  siteId: string,
): OverrideView {
  if (keyId !== undefined) return `key:${keyId}`
  if (managedSiteIds === 'all' || managedSiteIds === 'none') return managedSiteIds
  return managedSiteIds.has(siteId) ? 'all' : 'none'
}

/** True when the id of an override is shown. An override whose owner is unknown is shown only to those who see all. */
export function seesOverride(view: OverrideView, placedBy: string | null | undefined): boolean {
  return view === 'all' || (Boolean(placedBy) && view === `key:${placedBy}`)
}
