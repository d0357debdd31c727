import { Alert, Button, PasswordInput, Stack, Table, Text } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { SignedIn, SignedInOrganization } from '@plantroom/contract/roles'
import { type FormEvent, useState } from 'react'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { sitePath } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { NewPasswordFields, type PasswordTwice, passwordProblems } from '../../parts/new-password.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { NotificationSwitch } from '../../parts/notification-switch.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { CardSection } from '../../parts/section.tsx'
import { account as texts } from '../../texts/account.ts'
import { common, roles } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { OwnFactors } from './own-factors.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import { OwnLanguage } from './own-language.tsx'
import { OwnProvider } from './own-provider.tsx'
import { OwnSessions } from './own-sessions.tsx'

/** The signed-in person's invitations, roles, language, ways to sign in, second factors and sessions. */
export function AccountPage({ signedIn }: { signedIn: SignedIn }) {
  const { email } = signedIn.user
  const hasPassword = useOperation('listSignInMethods', {}).data?.hasPassword ?? true
  // What they have to do comes first.
  const isClosedOut = signedIn.organizations.some(({ secondFactorMissing }) => secondFactorMissing)
  return (
    <Stack maw={720} mx="auto" gap="lg">
      <PageHead title={texts.title}>{email}</PageHead>
      <OwnInvitations />
      {isClosedOut && <OwnFactors signedIn={signedIn} />}
      <CardSection id="own-notifications" title={texts.notificationsTitle}>
        <NotificationSwitch userId={signedIn.user.id} />
      </CardSection>
      <OwnLanguage signedIn={signedIn} />
      <CardSection id="own-roles" title={texts.rolesTitle}>
        <OwnRoles signedIn={signedIn} />
      </CardSection>
      <OwnProvider />
      {hasPassword && (
        <CardSection id="password" title={texts.passwordTitle} hint={texts.passwordHint}>
          <ChangePassword email={email} />
        </CardSection>
      )}
      {!isClosedOut && <OwnFactors signedIn={signedIn} />}
      <CardSection id="sessions" title={texts.sessions.title} hint={texts.sessions.hint}>
        <OwnSessions />
      </CardSection>
    </Stack>
  )
}

/** The roles of the signed-in person, by site. */
function OwnRoles({ signedIn }: { signedIn: SignedIn }) {
  const organizations = signedIn.organizations.filter(({ isAdmin, sites }) => isAdmin || sites.length > 0)
  if (organizations.length === 0) {
    const isClosedOut = signedIn.organizations.some(({ secondFactorMissing }) => secondFactorMissing)
    return <Text>{isClosedOut ? texts.rolesClosed : texts.noRoles}</Text>
  }
  return (
    <Stack>
      {organizations.map((organization) => (
        <RolesOf key={organization.id} organization={organization} />
      ))}
    </Stack>
  )
}

/** More sites than these are listed on request. */
const SITES_LISTED = 20

function RolesOf({ organization }: { organization: SignedInOrganization }) {
  const [listed, setListed] = useState(SITES_LISTED)
  return (
    <Stack gap="xs">
      {organization.isAdmin && <Text>{format(texts.organizationAdmin, { organization: organization.name })}</Text>}
      {organization.sites.length > 0 && (
        <Table captionSide="top" horizontalSpacing={0} layout="fixed" verticalSpacing="xs">
          <Table.Caption ta="left" mt={0}>
            {format(texts.rolesOf, { organization: organization.name })}
          </Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.site}</Table.Th>
              <Table.Th scope="col">{texts.role}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {organization.sites.slice(0, listed).map(({ id, name, role }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Link to={sitePath(organization.id, id)}>{name}</Link>
                </Table.Td>
                <Table.Td>
                  <div>{roles[role]}</div>
                  <Text c="dimmed" size="sm">
                    {texts.roleMeaning[role]}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {organization.sites.length > listed && (
        <Button variant="default" mx="auto" onClick={() => setListed(listed * 5)}>
          {common.more}
        </Button>
      )}
    </Stack>
  )
}

const NONE: PasswordTwice = { password: '', again: '' }

function ChangePassword({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [passwords, setPasswords] = useState(NONE)
  const [tried, setTried] = useState(false)
  const problems = passwordProblems(passwords)
  const change = useChange('changePassword', {
    onSuccess() {
      setCurrent('')
      setPasswords(NONE)
      setTried(false)
    },
  })

  const isCurrentWrong = change.error instanceof ApiError && change.error.field === 'current'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!change.isPending && Object.keys(problems).length === 0)
      change.mutate({ body: { current, password: passwords.password } })
  }
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        {/* Password managers need the account name. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordInput
          label={texts.current}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={isCurrentWrong && texts.wrongCurrent}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <NewPasswordFields value={passwords} onChange={setPasswords} problems={tried ? problems : {}} />
        {change.error && !isCurrentWrong && <ErrorNotice error={change.error} title={texts.failed} />}
        {change.isSuccess && !tried && (
          <Alert color="green" role="status">
            {texts.changed}
          </Alert>
        )}
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
          {texts.change}
        </Button>
      </Stack>
    </form>
  )
}
