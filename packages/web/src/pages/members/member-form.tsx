import { Alert, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { InvitedMember, Member, MemberRoles } from '@plantroom/contract/roles'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { invalidate } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { showUndo, UndoRefused } from '../../parts/undo.tsx'
import { useForm } from '../../parts/use-form.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { members } from '../../texts/members.ts'
import { chosenOf, isSameRoles, rolesOf } from './member-roles.ts'
import { RolesFields } from './roles-fields.tsx'

const texts = members.form

/** Invites a member or changes the roles of one. */
export function MemberForm({
  member,
  isSelf,
  onClose,
  onInvited,
}: {
  member: Member | undefined
  isSelf: boolean
  onClose: () => void
  onInvited: (invited: InvitedMember) => void
}) {
  const { orgId } = useOrganization()
  const save = useMutation({
    async mutationFn({ email, given }: { email: string; given: MemberRoles }): Promise<InvitedMember | undefined> {
      if (!member) return api.addMember({ orgId, body: { email, ...given } })
      await api.changeMember({ orgId, userId: member.userId, body: given })
      return undefined
    },
    async onSuccess(invited, { given }) {
      await invalidate('listMembers')
      // Changing your own roles changes the pages you can see.
      if (isSelf) void invalidate('getSession')
      if (member) told(member, given)
      onClose()
      if (invited) onInvited(invited)
    },
  })

  const initial = () => ({ email: '', chosen: chosenOf(member) })
  const form = useForm({ ...save, operation: 'addMember' }, initial, ({ email, chosen }) => ({
    email: !member && !/^[^\s@]+@\S+$/.test(email) && members.invite.badEmail,
    chosen: !rolesOf(chosen) && texts.noSite,
  }))

  /** Your own roles cannot be restored: you may not be an administrator any more. */
  function told({ userId, email: address, ...before }: Member, given: MemberRoles): void {
    const message = format(texts.saved, { email: address })
    const previous = rolesOf(chosenOf(before))
    if (isSelf || !previous) {
      notifications.show({ message })
      return
    }
    showUndo(message, async () => {
      const { members: listed } = await api.listMembers({ orgId })
      const now = listed.find((other) => other.userId === userId)
      if (!now || !isSameRoles(rolesOf(chosenOf(now)), given)) throw new UndoRefused(texts.changedSince)
      await api.changeMember({ orgId, userId, body: previous })
      await invalidate('listMembers')
    })
  }

  function send({ email, chosen }: ReturnType<typeof initial>): void {
    const given = rolesOf(chosen)
    if (given) save.mutate({ email, given })
  }

  return (
    <DialogForm
      form={form}
      title={member ? format(texts.changeTitle, { email: member.email }) : members.invite.title}
      action={member ? common.save : members.invite.submit}
      onClose={onClose}
      onSubmit={send}
    >
      {!member && (
        <TextInput label={members.invite.email} type="email" {...form.text('email')} required data-autofocus />
      )}
      {isSelf && <Alert color="orange" variant="light" title={texts.yourself} />}
      <RolesFields {...form.choice('chosen')} />
    </DialogForm>
  )
}
