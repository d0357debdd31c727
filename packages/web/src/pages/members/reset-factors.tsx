import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Member } from '@plantroom/contract/roles'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { members } from '../../texts/members.ts'

const texts = members.resetFactors

/** Removes every second factor of a member who lost them. */
export function ResetFactors({ member, onClose }: { member: Member; onClose: () => void }) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const { email, userId } = member
  const reset = useMutation({
    mutationFn: () => api.resetMemberFactors({ orgId, userId }),
    async onSuccess() {
      onClose()
      notifications.show({ message: format(texts.done, { email }) })
      // An administrator who resets their own factors is signed out.
      await client.invalidateQueries({ queryKey: ['session'] })
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.title, { email })}
      action={texts.action}
      mutation={reset}
      onConfirm={() => reset.mutate()}
    >
      <Text>{texts.consequence}</Text>
    </Confirm>
  )
}
