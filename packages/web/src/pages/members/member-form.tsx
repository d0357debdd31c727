import { Alert, Modal, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { InvitedMember } from '@plantroom/client/session'
import type { Member, MemberRoles } from '@plantroom/contract/roles'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { session } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { FormEnd } from '../../parts/form-end.tsx'
import { common } from '../../texts/common.ts'
import { members } from '../../texts/members.ts'
import { chosenOf, rolesOf } from './member-words.ts'
import { RolesFields } from './roles-fields.tsx'

const texts = members.form

/** Invites someone, or changes the roles of a member. */
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
  const { orgId } = useSite()
  const client = useQueryClient()
  const [email, setEmail] = useState('')
  const [chosen, setChosen] = useState(() => chosenOf(member))
  const [isTried, setIsTried] = useState(false)
  const roles = rolesOf(chosen)
  const isAddress = member !== undefined || /^\S+@\S+$/.test(email.trim())

  const save = useMutation({
    async mutationFn(given: MemberRoles): Promise<InvitedMember | undefined> {
      if (!member) return session.addMember(orgId, { email: email.trim(), ...given })
      await session.changeMember(orgId, member.userId, given)
      return undefined
    },
    async onSuccess(invited) {
      await client.invalidateQueries({ queryKey: ['members', orgId] })
      // Whoever changed their own roles sees other pages now.
      if (isSelf) void client.invalidateQueries({ queryKey: ['session'] })
      if (member) notifications.show({ message: texts.saved(member.email) })
      onClose()
      if (invited) onInvited(invited)
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsTried(true)
    if (isAddress && roles) save.mutate(roles)
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={member ? texts.changeTitle(member.email) : members.invite.title}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {!member && (
            <TextInput
              label={members.invite.email}
              type="email"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              required
              maxLength={255}
              data-autofocus
              error={isTried && !isAddress && members.invite.badEmail}
            />
          )}
          {isSelf && <Alert color="orange" variant="light" title={texts.yourself} />}
          <RolesFields chosen={chosen} onChange={setChosen} error={isTried && !roles && texts.noSite} />
          <FormEnd mutation={save} action={member ? texts.save : members.invite.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
