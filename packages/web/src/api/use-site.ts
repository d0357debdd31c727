import { isAtLeast, type Role } from '@plantroom/contract/role-order'
import type { SignedInOrganization, SignedInSite } from '@plantroom/contract/roles'
import { createContext, useContext } from 'react'

/** The site of the current page. */
export interface CurrentSite {
  organization: SignedInOrganization
  site: SignedInSite
}

export const SiteContext = createContext<CurrentSite | undefined>(undefined)

/** Returns the site of the page. Works only inside a site page. */
export function useSite() {
  const current = useContext(SiteContext)
  if (!current) throw new Error('useSite works only inside a site page')
  const { organization, site } = current
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

export const sitePath = (orgId: string, siteId: string, below = '') => `/o/${orgId}/s/${siteId}${below}`

/** The path of the fleet dispatches of an organization, or of one of them. */
export const dispatchesPath = (orgId: string, id?: string) =>
  id === undefined ? `/o/${orgId}/dispatches` : `/o/${orgId}/dispatches/${id}`
