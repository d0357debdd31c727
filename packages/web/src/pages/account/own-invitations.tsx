import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { PendingInvitation } from '@plantroom/contract/roles'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { account } from '../../texts/account.ts'
import { format } from '../../texts/format.ts'

const texts = account.invitations

/** The organizations that invited the person. Shown only when there are any. */
export function OwnInvitations() {
  const invitations = useOperation('listInvitations', {}).data?.invitations ?? []
  const join = useChange('joinOrganization')
  const decline = useChange('declineInvitation')
  const error = join.error ?? decline.error
  if (invitations.length === 0) return null
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="own-invitations">
      <Title order={2} size="h4" id="own-invitations" mb="sm">
        {texts.title}
      </Title>
      <Stack>
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.orgId}
            invitation={invitation}
            isPending={join.isPending || decline.isPending}
            onJoin={() => join.mutate({ orgId: invitation.orgId })}
            onDecline={() => decline.mutate({ orgId: invitation.orgId })}
          />
        ))}
        {error && <ErrorNotice error={error} title={texts.failed} />}
      </Stack>
    </Paper>
  )
}

function InvitationRow({
  invitation,
  isPending,
  onJoin,
  onDecline,
}: {
  invitation: PendingInvitation
  isPending: boolean
  onJoin: () => void
  onDecline: () => void
}) {
  const { organization, isAdmin, needsLink } = invitation
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text>{format(isAdmin ? texts.asAdmin : texts.asMember, { organization })}</Text>
        {needsLink && (
          <Text c="dimmed" size="sm">
            {texts.needsLink}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {!needsLink && (
          <Button
            size="xs"
            disabled={isPending}
            onClick={onJoin}
            aria-label={format(texts.joinLabel, { organization })}
          >
            {texts.join}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          onClick={onDecline}
          aria-label={format(texts.declineLabel, { organization })}
        >
          {texts.decline}
        </Button>
      </Group>
    </Group>
  )
}
