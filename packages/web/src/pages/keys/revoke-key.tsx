import { Alert, Button, Checkbox, Group, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ApiKey, ReleasedOverrides } from '@plantroom/contract/api'
import { useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { Confirm, Modal } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { keys } from '../../texts/keys.ts'
import { mayControl } from './describe-key.ts'

const texts = keys.revoke

/** Asks before a key is revoked, whether to cancel what it placed, and shows which controllers have yet to do so. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name, overrides } = apiKey
  const canHavePlaced = mayControl(apiKey)
  const [cancels, setCancels] = useState(canHavePlaced)
  const revoke = useChange('revokeKey', {
    onSuccess(released) {
      if (released && released.pending.length > 0) return
      const count = released?.cancelled.length
      notifications.show({
        message: count === undefined ? format(texts.done, { name }) : format(texts.released, { name, count }),
      })
      onClose()
    },
  })
  if (revoke.data) return <Pending name={name} released={revoke.data} onClose={onClose} />
  return (
    <Confirm
      opened
      onClose={onClose}
      title={format(texts.title, { name })}
      action={texts.action}
      mutation={revoke}
      onConfirm={() => revoke.mutate({ keyId: id, query: { cancelOverrides: cancels ? 'true' : undefined } })}
    >
      <Text>{texts.consequence}</Text>
      {canHavePlaced && (
        <>
          <Text>{overrides === 0 ? texts.noneStanding : format(texts.standing, { count: overrides })}</Text>
          <Checkbox
            label={texts.cancel}
            description={texts.cancelHint}
            checked={cancels}
            onChange={(event) => setCancels(event.currentTarget.checked)}
          />
        </>
      )}
    </Confirm>
  )
}

function Pending({ name, released, onClose }: { name: string; released: ReleasedOverrides; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={format(texts.pendingTitle, { name })} centered>
      <Stack>
        <Text>{format(texts.cancelled, { count: released.cancelled.length })}</Text>
        <Alert color="orange" variant="light" role="status" title={texts.pending}>
          <List size="sm">
            {released.pending.map((device) => (
              <List.Item key={device.deviceId}>{device.name}</List.Item>
            ))}
          </List>
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>{texts.close}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
