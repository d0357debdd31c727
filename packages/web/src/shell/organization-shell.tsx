import type { SignedIn, SignedInOrganization } from '@plantroom/contract/roles'
import { type ReactNode, Suspense } from 'react'
import { Link } from '../parts/link.tsx'
import { Loading } from '../parts/notices.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { common } from '../texts/common.ts'
import { Frame } from './frame.tsx'

/** The frame of a page about a whole organization. */
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
  return (
    <Frame signedIn={signedIn}>
      {organization ? (
        <Suspense fallback={<Loading />}>{children(organization)}</Suspense>
      ) : (
        <PageHead title={common.noOrganization}>
          {common.noAccessHint} <Link to="/">{common.backToStart}</Link>
        </PageHead>
      )}
    </Frame>
  )
}
