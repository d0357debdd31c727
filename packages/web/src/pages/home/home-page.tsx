import { Alert, Stack } from '@mantine/core'
import type { SignedIn, SignedInOrganization } from '@plantroom/contract/roles'
import { isShown, useGettingStarted } from '../../api/use-getting-started.ts'
import { Checklist } from '../../parts/checklist.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { format } from '../../texts/format.ts'
import { home as texts } from '../../texts/home.ts'
import { Portfolio } from './portfolio-section.tsx'

/** All sites of the signed-in person. */
export function HomePage({ signedIn }: { signedIn: SignedIn }) {
  const organizations = signedIn.organizations.filter(({ isAdmin, sites }) => isAdmin || sites.length > 0)
  const count = organizations.reduce((sum, { sites }) => sum + sites.length, 0)
  const closed = signedIn.organizations.filter(({ secondFactorMissing }) => secondFactorMissing)

  return (
    <>
      <PageHead title={texts.title}>{count > 0 && format(texts.siteCount, { count })}</PageHead>
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
        {organizations.length > 0 && <Portfolio organizations={organizations} />}
      </Stack>
    </>
  )
}

/** What is left to do before the first override. */
function FirstSteps({ organization }: { organization: SignedInOrganization }) {
  const list = useGettingStarted(organization)
  return list && isShown(list) ? <Checklist list={list} /> : null
}
