import { Radio, Stack, Text } from '@mantine/core'
import type { OperationReply } from '@plantroom/client/client'
import type { ApiKey } from '@plantroom/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'

const texts = keys.rotate
const OVERLAP_SECONDS = { none: 0, hour: 3600, day: 86_400, week: 7 * 86_400 } as const
type Overlap = keyof typeof OVERLAP_SECONDS
const OVERLAPS = Object.keys(OVERLAP_SECONDS) as readonly Overlap[]

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
    mutationFn: () => api.rotateKey({ orgId, keyId: id, body: { overlapSeconds: OVERLAP_SECONDS[overlap] } }),
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
      <Radio.Group label={texts.overlap} value={overlap} onChange={(chosen) => setOverlap(chosen as Overlap)}>
        <Stack gap="xs" my={6}>
          {OVERLAPS.map((each) => (
            <Radio key={each} value={each} label={texts.overlaps[each]} />
          ))}
        </Stack>
      </Radio.Group>
    </Confirm>
  )
}
