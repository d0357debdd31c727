import { Text } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import type { ApiKey } from '@plantroom/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
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
  const { orgId } = useSite()
  const client = useQueryClient()
  const [overlap, setOverlap] = useState<Overlap>('day')
  const rotate = useMutation({
    mutationFn: () => api.rotateKey({ orgId, keyId: id, body: { overlapSeconds: secondsOf(overlap) } }),
    onSuccess(rotated) {
      void client.invalidateQueries({ queryKey: ['keys', orgId] })
      onRotated(rotated)
    },
  })
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.title, { name })}
      action={texts.action}
      color="blue"
      mutation={rotate}
      onConfirm={() => rotate.mutate()}
    >
      <Text>{texts.consequence}</Text>
      <OverlapField value={overlap} onChange={setOverlap} />
    </Confirm>
  )
}
