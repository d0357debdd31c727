import { Alert, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from '@plantroom/client/http'
import type { Device } from '@plantroom/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'
import type { DeviceWithSecret } from './add-device.tsx'

const texts = systems.device

interface DialogProps {
  /** The controller to confirm the action for. Without one, the dialog is closed. */
  device: Device | undefined
  onClose: () => void
}

/** Gives a controller a new secret, after confirmation. */
export function RenewSecret({
  device,
  onClose,
  onRenewed,
}: DialogProps & { onRenewed: (made: DeviceWithSecret) => void }) {
  const { orgId } = useSite()
  const renew = useMutation({
    mutationFn: ({ id }: Device) => api.renewDeviceCredential({ orgId, deviceId: id }),
    onSuccess(made, { name }) {
      close()
      onRenewed({ ...made, name })
    },
  })
  function close(): void {
    onClose()
    renew.reset()
  }

  return (
    <Confirm
      opened={device !== undefined}
      onClose={close}
      title={format(texts.renewTitle, { name: device?.name ?? '' })}
      action={texts.renewAction}
      mutation={renew}
      onConfirm={() => device && renew.mutate(device)}
    >
      <Text>{texts.renewConsequence}</Text>
    </Confirm>
  )
}

/** Removes a controller, after confirmation, and after a second one while it holds something. */
export function RemoveDevice({ device, onClose }: DialogProps) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: ({ device: { id }, confirm }: { device: Device; confirm: 'true' | undefined }) =>
      api.removeDevice({ orgId, deviceId: id, query: { confirm } }),
    async onSuccess(_done, { device: { name } }) {
      await client.invalidateQueries({ queryKey: ['devices', orgId] })
      close()
      notifications.show({ message: format(texts.removed, { name }) })
    },
  })
  function close(): void {
    onClose()
    remove.reset()
  }
  const { error } = remove
  const holds = error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED'

  return (
    <Confirm
      opened={device !== undefined}
      onClose={close}
      title={format(texts.removeTitle, { name: device?.name ?? '' })}
      action={holds ? texts.removeAnyway : texts.removeAction}
      mutation={holds ? { ...remove, error: null } : remove}
      onConfirm={() => device && remove.mutate({ device, confirm: holds ? 'true' : undefined })}
    >
      <Text>{texts.removeConsequence}</Text>
      {holds && (
        <Alert color="red" role="alert">
          {texts.removeHolding}
        </Alert>
      )}
    </Confirm>
  )
}
