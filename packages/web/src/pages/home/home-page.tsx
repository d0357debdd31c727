import { Stack } from '@mantine/core'
import type { SignedIn } from '@plantroom/contract/roles'
import { Redirect, useSearchParams } from 'wouter'
import { sitePath } from '../../api/use-site.ts'
import { Empty, PageHead } from '../../parts/notices.tsx'
import { home as texts } from '../../texts/home.ts'
import { SitesOf } from './sites-of.tsx'

/** The sites of whoever is signed in. Where there is only one it is that site itself, unless `?all` asks for the list. */
export function HomePage({ signedIn }: { signedIn: SignedIn }) {
  const [parameters] = useSearchParams()
  const organizations = signedIn.organizations.filter(({ isAdmin, sites }) => isAdmin || sites.length > 0)
  const sites = organizations.flatMap(({ id, sites }) => sites.map((site) => sitePath(id, site.id)))
  const [first] = sites

  if (first && sites.length === 1 && !parameters.has('all')) return <Redirect to={first} replace />
  return (
    <>
      <PageHead title={texts.title}>{sites.length > 0 && texts.siteCount(sites.length)}</PageHead>
      {organizations.length === 0 && <Empty title={texts.none}>{texts.noneHint(signedIn.user.email)}</Empty>}
      <Stack gap="xl">
        {organizations.map((organization) => (
          <SitesOf key={organization.id} organization={organization} />
        ))}
      </Stack>
    </>
  )
}
