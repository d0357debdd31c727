import type { SignedIn, SignedInOrganization } from '@plantroom/contract/roles'
import { type ReactNode, Suspense, useMemo } from 'react'
import { Redirect } from 'wouter'
import { PlaceContext } from '../api/use-site.ts'
import { Link } from '../parts/link.tsx'
import { Loading } from '../parts/notices.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { common } from '../texts/common.ts'
import { Frame } from './frame.tsx'

/** The frame of a page about a whole organization. It needs no site. */
export function OrganizationShell({
  signedIn,
  orgId,
  children,
}: {
  signedIn: SignedIn
  orgId: string
  children: (organization: SignedInOrganization) => ReactNode
}) {
  const organization = signedIn.organizations.find(({ id }) => id === orgId)
  const place = useMemo(() => organization && { organization }, [organization])
  if (organization?.secondFactorMissing) return <Redirect to="/account" replace />
  if (!place) {
    return (
      <Frame signedIn={signedIn}>
        <PageHead title={common.noOrganization}>
          {common.noAccessHint} <Link to="/">{common.backToStart}</Link>
        </PageHead>
      </Frame>
    )
  }
  return (
    <PlaceContext value={place}>
      <Frame signedIn={signedIn} place={place}>
        <Suspense fallback={<Loading />}>{children(place.organization)}</Suspense>
      </Frame>
    </PlaceContext>
  )
}
