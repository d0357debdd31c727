import type { SignedIn } from '@plantroom/contract/roles'
import { type ReactNode, useMemo } from 'react'
import { Redirect } from 'wouter'
import { PlaceContext } from '../api/use-site.ts'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { common } from '../texts/common.ts'
import { Frame } from './frame.tsx'

/** The frame of a site page. */
export function SiteShell({
  signedIn,
  orgId,
  siteId,
  children,
}: {
  signedIn: SignedIn
  orgId: string
  siteId: string
  children: ReactNode
}) {
  const current = useMemo(() => {
    const organization = signedIn.organizations.find(({ id }) => id === orgId)
    const site = organization?.sites.find(({ id }) => id === siteId)
    return organization && site && { organization, site }
  }, [signedIn, orgId, siteId])

  if (!current) {
    const organization = signedIn.organizations.find(({ id }) => id === orgId)
    if (organization?.secondFactorMissing) return <Redirect to="/account" replace />
    return (
      <Frame signedIn={signedIn}>
        <PageHead title={common.noAccess}>
          {common.noAccessHint} <Link to="/">{common.backToStart}</Link>
        </PageHead>
      </Frame>
    )
  }
  return (
    <PlaceContext value={current}>
      <Frame signedIn={signedIn} place={current}>
        {children}
      </Frame>
    </PlaceContext>
  )
}
