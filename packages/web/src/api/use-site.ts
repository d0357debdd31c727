import { isAtLeast, type Role, type SignedInOrganization, type SignedInSite } from '@plantroom/contract/roles'
import { createContext, useContext } from 'react'

/** The site that the page is about, and what whoever looks at it may do there. */
export interface CurrentSite {
  organization: SignedInOrganization
  site: SignedInSite
}

export const SiteContext = createContext<CurrentSite | undefined>(undefined)

/** Only below a page of a site. */
export function useSite() {
  const current = useContext(SiteContext)
  if (!current) throw new Error('this part stands on a page of a site only')
  const { organization, site } = current
  return {
    organization,
    site,
    orgId: organization.id,
    siteId: site.id,
    /** Whether to offer something: the server judges again. */
    may: (needed: Role) => isAtLeast(site.role, needed),
    /** The path of a page of this site. */
    path: (below = '') => sitePath(organization.id, site.id, below),
  }
}

export const sitePath = (orgId: string, siteId: string, below = '') => `/o/${orgId}/s/${siteId}${below}`
