import { Paper, Stack, Text, Title } from '@mantine/core'
import type { SignedIn } from '@plantroom/contract/roles'
import { PageHead } from '../../parts/notices.tsx'
import { account as texts } from '../../texts/account.ts'
import { ChangePassword } from './change-password.tsx'
import { OwnRoles } from './own-roles.tsx'

/** Who is signed in, what they may do, and their password. */
export function AccountPage({ signedIn }: { signedIn: SignedIn }) {
  const { email } = signedIn.user
  return (
    <Stack maw={720} mx="auto" gap="lg">
      <PageHead title={texts.title}>{email}</PageHead>
      <Paper component="section" withBorder p="lg" aria-labelledby="own-roles">
        <Title order={2} size="h4" id="own-roles" mb="sm">
          {texts.rolesTitle}
        </Title>
        <OwnRoles signedIn={signedIn} />
      </Paper>
      <Paper component="section" withBorder p="lg" aria-labelledby="password">
        <Title order={2} size="h4" id="password" mb={4}>
          {texts.passwordTitle}
        </Title>
        <Text c="dimmed" mb="md">
          {texts.passwordHint}
        </Text>
        <ChangePassword email={email} />
      </Paper>
    </Stack>
  )
}
