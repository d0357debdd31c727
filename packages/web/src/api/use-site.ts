import { isAtLeast, type Role } from '@plantroom/contract/role-order'
import type { SignedInOrganization, SignedInSite } from '@plantroom/contract/roles'
import { createContext, useContext } from 'react'
import { ownTimeZone } from '../own-time-zone.ts'

/** The organization of the current page, and the site if the page is about one. */
export interface CurrentPlace {
  organization: SignedInOrganization
  site?: SignedInSite
}

export const PlaceContext = createContext<CurrentPlace | undefined>(undefined)

/** Returns the organization of the page. Works on the pages of an organization and of its sites. */
export function useOrganization() {
  const place = useContext(PlaceContext)
  if (!place) throw new Error('useOrganization works only inside a page of an organization')
  const { organization, site } = place
  return {
    organization,
    orgId: organization.id,
    /** `undefined` on a page about the whole organization. */
    siteId: site?.id,
    timeZone: site?.timeZone ?? timeZoneOf(organization),
  }
}

/** Returns the site of the page. Works only inside a site page. */
export function useSite() {
  const place = useContext(PlaceContext)
  if (!place?.site)
    throw new Error('useSite works only inside a site page: pages of an organization use useOrganization')
  const { organization, site } = place
  return {
    organization,
    site,
    orgId: organization.id,
    siteId: site.id,
    /** Reports whether to offer an action. The service checks again. */
    may: (needed: Role) => isAtLeast(site.role, needed),
    /** Returns the path of a page of this site. */
    path: (below = '') => sitePath(organization.id, site.id, below),
  }
}

/** The time zone that all sites share, or that of the browser. */
function timeZoneOf({ sites }: SignedInOrganization): string {
  const [first, ...others] = new Set(sites.map(({ timeZone }) => timeZone))
  return first !== undefined && others.length === 0 ? first : ownTimeZone()
}

export const sitePath = (orgId: string, siteId: string, below = '') => `/o/${orgId}/s/${siteId}${below}`

/** The path of the list of the sites with a tag. */
export const tagPath = (tag: string) => `/?all&tag=${encodeURIComponent(tag)}`

export const organizationPath = (orgId: string, below: string) => `/o/${orgId}${below}`

/** The path of the fleet dispatches of an organization, or of one of them. */
export const dispatchesPath = (orgId: string, id?: string) =>
  organizationPath(orgId, id === undefined ? '/dispatches' : `/dispatches/${id}`)

const PROGRAM = 'program:'

/** The path of the events of the OpenADR program that placed something; `undefined` when a key or a person did. */
export const openadrPathOf = (orgId: string, { id }: { id: string }) =>
  id.startsWith(PROGRAM)
    ? organizationPath(orgId, `/openadr/events?programId=${encodeURIComponent(id.slice(PROGRAM.length))}`)
    : undefined
