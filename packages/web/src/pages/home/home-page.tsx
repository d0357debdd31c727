import { Alert, Stack } from '@mantine/core'
import type { SignedIn, SignedInOrganization } from '@plantroom/contract/roles'
import { lazy, Suspense } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { isShown, useGettingStarted } from '../../api/use-getting-started.ts'
import { sitePath } from '../../api/use-site.ts'
import { Checklist } from '../../parts/checklist.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { format } from '../../texts/format.ts'
import { home as texts } from '../../texts/home.ts'

const Portfolio = lazy(async () => ({ default: (await import('./portfolio-section.tsx')).Portfolio }))

/** All sites of the signed-in person. A single site opens directly, unless the address has `?all`. */
export function HomePage({ signedIn }: { signedIn: SignedIn }) {
  const [parameters] = useSearchParams()
  const organizations = signedIn.organizations.filter(({ isAdmin, sites }) => isAdmin || sites.length > 0)
  const sites = organizations.flatMap(({ id, sites }) => sites.map((site) => sitePath(id, site.id)))
  const [first] = sites
  const closed = signedIn.organizations.filter(({ secondFactorMissing }) => secondFactorMissing)

  if (first && sites.length === 1 && !parameters.has('all')) return <Redirect to={first} replace />
  if (closed.length > 0 && organizations.length === 0) return <Redirect to="/account" replace />
  return (
    <>
      <PageHead title={texts.title}>{sites.length > 0 && format(texts.siteCount, { count: sites.length })}</PageHead>
      {organizations.length === 0 && (
        <Empty title={texts.none}>{format(texts.noneHint, { email: signedIn.user.email })}</Empty>
      )}
      <Stack gap="xl">
        {closed.map(({ id, name }) => (
          <Alert key={id} color="yellow" title={name}>
            {texts.secondFactor} <Link to="/account">{texts.toAccount}</Link>
          </Alert>
        ))}
        {organizations.map((organization) => (
          <FirstSteps key={organization.id} organization={organization} />
        ))}
        {organizations.length > 0 && (
          <Suspense fallback={<Loading />}>
            <Portfolio organizations={organizations} />
          </Suspense>
        )}
      </Stack>
    </>
  )
}

/** What is left to do before the first override. */
function FirstSteps({ organization }: { organization: SignedInOrganization }) {
  const list = useGettingStarted(organization)
  return list && isShown(list) ? <Checklist list={list} /> : null
}
