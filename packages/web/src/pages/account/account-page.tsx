import { Alert, Button, Paper, PasswordInput, Stack, Table, Text, Title } from '@mantine/core'
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
      <Paper component="section" withBorder p="lg" aria-labelledby="own-notifications">
        <Title order={2} size="h4" id="own-notifications" mb="sm">
          {texts.notificationsTitle}
        </Title>
        <NotificationSwitch userId={signedIn.user.id} />
      </Paper>
      <OwnLanguage signedIn={signedIn} />
      <Paper component="section" withBorder p="lg" aria-labelledby="own-roles">
        <Title order={2} size="h4" id="own-roles" mb="sm">
          {texts.rolesTitle}
        </Title>
        <OwnRoles signedIn={signedIn} />
      </Paper>
      <OwnProvider />
      {hasPassword && (
        <Paper component="section" withBorder p="lg" aria-labelledby="password">
          <Title order={2} size="h4" id="password" mb={4}>
            {texts.passwordTitle}
          </Title>
          <Text c="dimmed" mb="md">
            {texts.passwordHint}
          </Text>
          <ChangePassword email={email} />
        </Paper>
      )}
      {!isClosedOut && <OwnFactors signedIn={signedIn} />}
      <Paper component="section" withBorder p="lg" aria-labelledby="sessions">
        <Title order={2} size="h4" id="sessions" mb={4}>
          {texts.sessions.title}
        </Title>
        <Text c="dimmed" mb="md">
          {texts.sessions.hint}
        </Text>
        <OwnSessions />
      </Paper>
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
        <Table captionSide="top" horizontalSpacing={0} layout="fixed" fz="md" verticalSpacing="xs">
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
