import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
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

/** Removes a controller, after confirmation. */
export function RemoveDevice({ device, onClose }: DialogProps) {
  const { orgId } = useSite()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: ({ id }: Device) => api.removeDevice({ orgId, deviceId: id }),
    async onSuccess(_done, { name }) {
      await client.invalidateQueries({ queryKey: ['devices', orgId] })
      close()
      notifications.show({ message: format(texts.removed, { name }) })
    },
  })
  function close(): void {
    onClose()
    remove.reset()
  }

  return (
    <Confirm
      opened={device !== undefined}
      onClose={close}
      title={format(texts.removeTitle, { name: device?.name ?? '' })}
      action={texts.removeAction}
      mutation={remove}
      onConfirm={() => device && remove.mutate(device)}
    >
      <Text>{texts.removeConsequence}</Text>
    </Confirm>
  )
}
