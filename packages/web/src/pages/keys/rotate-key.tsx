import { Text } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import type { ApiKey } from '@plantroom/contract/api'
import { useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { type Overlap, OverlapField, secondsOf } from '../../parts/overlap-field.tsx'
import { format } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'

const texts = keys.rotate

/** Gives a key a new secret, and asks for how long the old one still works. */
export function RotateKey({
  apiKey: { id, name },
  onClose,
  onRotated,
}: {
  apiKey: ApiKey
  onClose: () => void
  onRotated: (key: OperationReply<'rotateKey'>) => void
}) {
  const [overlap, setOverlap] = useState<Overlap>('day')
  const rotate = useChange('rotateKey', { onSuccess: onRotated })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.title, { name })}
      action={texts.action}
      color="cyan"
      mutation={rotate}
      onConfirm={() => rotate.mutate({ keyId: id, body: { overlapSeconds: secondsOf(overlap) } })}
    >
      <Text>{texts.consequence}</Text>
      <OverlapField value={overlap} onChange={setOverlap} />
    </Confirm>
  )
}
