import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Member } from '@plantroom/contract/roles'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { members } from '../../texts/members.ts'

const texts = members.resetFactors

/** Removes every second factor of a member who lost them. */
export function ResetFactors({ member, onClose }: { member: Member; onClose: () => void }) {
  const { email, userId } = member
  const reset = useChange('resetMemberFactors', {
    async onSuccess() {
      onClose()
      notifications.show({ message: format(texts.done, { email }) })
      // An administrator who resets their own factors is signed out.
      await invalidate('getSession')
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.title, { email })}
      action={texts.action}
      mutation={reset}
      onConfirm={() => reset.mutate({ userId })}
    >
      <Text>{texts.consequence}</Text>
    </Confirm>
  )
}
