import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { InvitedMember } from '@plantroom/client/session'
import type { Member } from '@plantroom/contract/roles'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { session } from '../../api/service.ts'
import { useSession } from '../../api/use-session.ts'
import { useSite } from '../../api/use-site.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty, PageHead } from '../../parts/notices.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { members } from '../../texts/members.ts'
import { LinkView } from './link-view.tsx'
import { MemberForm } from './member-form.tsx'
import { type MemberAction, MemberTable } from './member-table.tsx'

/** Who may sign in, for administrators. */
export function MembersPage() {
  const { organization } = useSite()
  if (organization.isAdmin) return <Members />
  return (
    <>
      <PageHead title={members.title} />
      <Empty title={members.forAdmins} />
    </>
  )
}

function Members() {
  const { orgId } = useSite()
  const client = useQueryClient()
  const selfId = useSession().data?.user.id
  const [asked, setAsked] = useState<{ action: MemberAction | 'invite'; member?: Member }>()
  const [invited, setInvited] = useState<InvitedMember>()
  const query = useQuery({ queryKey: ['members', orgId], queryFn: () => session.members(orgId) })
  const { member } = asked ?? {}
  const isSelf = member !== undefined && member.userId === selfId

  const remove = useMutation({
    mutationFn: ({ userId }: Member) => session.removeMember(orgId, userId),
    async onSuccess(_done, { email, userId }) {
      await client.invalidateQueries({ queryKey: [userId === selfId ? 'session' : 'members'] })
      close()
      notifications.show({ message: members.remove.done(email) })
    },
  })
  const renew = useMutation({
    mutationFn: ({ userId }: Member) => session.renewLink(orgId, userId),
    onSuccess(made) {
      void client.invalidateQueries({ queryKey: ['members', orgId] })
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
      {(asked?.action === 'invite' || asked?.action === 'change') && (
        <MemberForm member={member} isSelf={isSelf} onClose={close} onInvited={setInvited} />
      )}
      {invited && <LinkView invited={invited} onClose={() => setInvited(undefined)} />}
      <Confirm
        opened={asked?.action === 'renew'}
        onClose={close}
        title={members.renew.title(member?.email ?? '')}
        action={members.renew.action}
        color="cyan"
        mutation={renew}
        onConfirm={() => member && renew.mutate(member)}
      >
        <Text>{members.renew.consequence}</Text>
      </Confirm>
      <Confirm
        opened={asked?.action === 'remove'}
        onClose={close}
        title={members.remove.title(member?.email ?? '')}
        action={members.remove.action}
        mutation={remove}
        onConfirm={() => member && remove.mutate(member)}
      >
        <Text>{members.remove.consequence}</Text>
        {isSelf && <Text fw={600}>{members.remove.yourself}</Text>}
      </Confirm>
    </>
  )
}
