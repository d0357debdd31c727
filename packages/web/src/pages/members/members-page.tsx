import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { InvitedMember, Member } from '@plantroom/contract/roles'
import { useState } from 'react'
import { invalidate, useChange, useOperation } from '../../api/use-operation.ts'
import { useSession } from '../../api/use-session.ts'
import { useOrganization } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { ForAdmins } from '../../parts/for-admins.tsx'
import { QueryView } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { CopyField, ShownOnce } from '../../parts/shown-once.tsx'
import { SmallButton } from '../../parts/small-button.tsx'
import { fullTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { members } from '../../texts/members.ts'
import { MemberForm } from './member-form.tsx'
import { describeRoles } from './member-roles.ts'
import { OrganizationMeasurements } from './organization-measurements.tsx'
import { OrganizationSecurity } from './organization-security.tsx'
import { ResetFactors } from './reset-factors.tsx'

/** The members of the organization, for administrators. */
export function MembersPage() {
  const { isAdmin } = useOrganization().organization
  return (
    <ForAdmins isAdmin={isAdmin} title={members.title} hint={members.forAdmins}>
      <Members />
    </ForAdmins>
  )
}

function Members() {
  const selfId = useSession().data?.user.id
  const [asked, setAsked] = useState<{ action: MemberAction | 'invite'; member?: Member }>()
  const [invited, setInvited] = useState<InvitedMember>()
  const query = useOperation('listMembers', {}, { select: (reply) => reply.members })
  const { member } = asked ?? {}
  const isSelf = member !== undefined && member.userId === selfId

  const remove = useChange('removeMember', {
    async onSuccess() {
      if (isSelf) await invalidate('getSession')
      close()
      notifications.show({ message: format(members.remove.done, { email: member?.email ?? '' }) })
    },
  })
  const renew = useChange('renewMemberLink', {
    onSuccess(made) {
      close()
      setInvited(made)
    },
  })
  function close(): void {
    setAsked(undefined)
    remove.reset()
    renew.reset()
  }

  return (
    <>
      <PageHead
        title={members.title}
        actions={<Button onClick={() => setAsked({ action: 'invite' })}>{members.invite.open}</Button>}
      >
        {members.intro}
      </PageHead>
      <QueryView query={query}>
        {(listed) => (
          <MemberTable
            listed={listed}
            selfId={selfId}
            onAction={(action, chosen) => setAsked({ action, member: chosen })}
          />
        )}
      </QueryView>
      <Stack gap="lg" mt="lg">
        <OrganizationSecurity />
        <OrganizationMeasurements />
      </Stack>
      {(asked?.action === 'invite' || asked?.action === 'change') && (
        <MemberForm member={member} isSelf={isSelf} onClose={close} onInvited={setInvited} />
      )}
      {invited && <LinkView invited={invited} onClose={() => setInvited(undefined)} />}
      <Confirm
        opened={asked?.action === 'renew'}
        onClose={close}
        title={format(members.renew.title, { email: member?.email ?? '' })}
        action={members.renew.action}
        color="cyan"
        mutation={renew}
        onConfirm={() => member && renew.mutate({ userId: member.userId })}
      >
        <Text>{members.renew.consequence}</Text>
      </Confirm>
      {asked?.action === 'reset-factors' && member && <ResetFactors member={member} onClose={close} />}
      <Confirm
        opened={asked?.action === 'remove'}
        onClose={close}
        title={format(members.remove.title, { email: member?.email ?? '' })}
        action={members.remove.action}
        mutation={remove}
        onConfirm={() => member && remove.mutate({ userId: member.userId })}
      >
        <Text>{members.remove.consequence}</Text>
        {isSelf && <Text fw={600}>{members.remove.yourself}</Text>}
      </Confirm>
    </>
  )
}

/** The actions on a member. */
type MemberAction = 'change' | 'renew' | 'reset-factors' | 'remove'

function MemberTable({
  listed,
  selfId,
  onAction,
}: {
  listed: readonly Member[]
  selfId: string | undefined
  onAction: (action: MemberAction, member: Member) => void
}) {
  const { organization, timeZone } = useOrganization()
  const action = (member: Member, kind: MemberAction, label: string, name: string) => (
    <SmallButton aria-label={name} onClick={() => onAction(kind, member)}>
      {label}
    </SmallButton>
  )
  return (
    <CardTable
      label={members.label}
      rows={listed}
      keyOf={({ userId }) => userId}
      columns={[
        {
          head: members.email,
          cell: ({ email, userId }) => (userId === selfId ? format(members.you, { email }) : email),
        },
        {
          head: members.roles,
          cell: (member) =>
            describeRoles(member, organization.sites).map((line) => (
              <Text key={line} size="sm">
                {line}
              </Text>
            )),
        },
        {
          head: members.lastSeen,
          time: true,
          cell: ({ lastSeenAt, invited }) => {
            if (invited) return members.invited
            return lastSeenAt ? fullTime(lastSeenAt, timeZone) : members.never
          },
        },
        {
          head: members.actions,
          plain: true,
          cell: (member) => (
            <Group gap="xs">
              {action(member, 'change', members.change, format(members.changeLabel, { email: member.email }))}
              {action(member, 'renew', members.renew.button, format(members.renew.label, { email: member.email }))}
              {!member.invited &&
                action(
                  member,
                  'reset-factors',
                  members.resetFactors.button,
                  format(members.resetFactors.label, { email: member.email }),
                )}
              {action(member, 'remove', members.remove.button, format(members.remove.label, { email: member.email }))}
            </Group>
          ),
        },
      ]}
    />
  )
}

const linkTexts = members.link

/** The invitation link with which a member sets a password. */
function LinkView({ invited, onClose }: { invited: InvitedMember; onClose: () => void }) {
  const { email, link } = invited
  return (
    <ShownOnce
      title={format(linkTexts.title, { email })}
      done={link === null ? common.close : linkTexts.done}
      secret={link ?? undefined}
      onClose={onClose}
    >
      <Text role="status">{link === null ? format(linkTexts.mailed, { email }) : linkTexts.hint}</Text>
      {link !== null && <CopyField label={linkTexts.label} value={link} />}
    </ShownOnce>
  )
}
