import { Button, Group, Text } from '@mantine/core'
import type { Member } from '@plantroom/contract/roles'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { fullTime } from '../../parts/time.ts'
import { members as texts } from '../../texts/members.ts'
import { rolesWords } from './member-words.ts'

/** What can be done about a member. */
export type MemberAction = 'change' | 'renew' | 'remove'

export function MemberTable({
  listed,
  selfId,
  onAction,
}: {
  listed: readonly Member[]
  selfId: string | undefined
  onAction: (action: MemberAction, member: Member) => void
}) {
  const { organization, site } = useSite()
  const action = (member: Member, kind: MemberAction, label: string, name: string) => (
    <Button size="xs" variant="default" aria-label={name} onClick={() => onAction(kind, member)}>
      {label}
    </Button>
  )
  return (
    <CardTable
      label={texts.label}
      rows={listed}
      keyOf={({ userId }) => userId}
      columns={[
        { head: texts.email, cell: ({ email, userId }) => (userId === selfId ? `${email} (${texts.you})` : email) },
        {
          head: texts.roles,
          cell: (member) =>
            rolesWords(member, organization.sites).map((line) => (
              <Text key={line} size="sm">
                {line}
              </Text>
            )),
        },
        {
          head: texts.lastSeen,
          time: true,
          cell: ({ lastSeenAt, hasPassword }) => {
            if (!hasPassword) return texts.noPassword
            return lastSeenAt ? fullTime(lastSeenAt, site.timeZone) : texts.never
          },
        },
        {
          head: texts.actions,
          plain: true,
          cell: (member) => (
            <Group gap="xs">
              {action(member, 'change', texts.change, texts.changeLabel(member.email))}
              {action(member, 'renew', texts.renew.button, texts.renew.label(member.email))}
              {action(member, 'remove', texts.remove.button, texts.remove.label(member.email))}
            </Group>
          ),
        },
      ]}
    />
  )
}
