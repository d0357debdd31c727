import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { OpenadrProgram } from '@plantroom/contract/openadr'
import { useChange } from '../../api/use-operation.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { openadr as texts } from '../../texts/openadr.ts'

interface Given {
  program: OpenadrProgram
  onClose: () => void
}

/** Asks before a program is paused: what it placed is released. */
export function PauseProgram({ program: { id, name, counts }, onClose }: Given) {
  const change = useChange('changeOpenadrProgram', { onFresh: onClose })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.pauseTitle, { name })}
      action={texts.pauseNow}
      mutation={change}
      onConfirm={() => change.mutate({ programId: id, body: { active: false } })}
    >
      <Text>{texts.pauseHint}</Text>
      <Text>{format(texts.releases, { count: counts.placed })}</Text>
    </Confirm>
  )
}

/** Asks before a program is removed: what it placed is released. */
export function RemoveProgram({ program: { id, name, counts }, onClose }: Given) {
  const remove = useChange('removeOpenadrProgram', {
    onFresh() {
      notifications.show({ message: format(texts.removed, { name }), color: 'green' })
      onClose()
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.removeTitle, { name })}
      action={texts.removeNow}
      mutation={remove}
      onConfirm={() => remove.mutate({ programId: id })}
    >
      <Text>{format(texts.releases, { count: counts.placed })}</Text>
      <Text>{texts.removeHint}</Text>
    </Confirm>
  )
}
