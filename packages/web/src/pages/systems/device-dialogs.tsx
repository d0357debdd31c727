import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Device } from '@plantroom/contract/api'
import { useChange } from '../../api/use-operation.ts'
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
  const renew = useChange('renewDeviceCredential', {
    onSuccess(made) {
      close()
      onRenewed({ ...made, name: device?.name ?? '' })
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
      onConfirm={() => device && renew.mutate({ deviceId: device.id })}
    >
      <Text>{texts.renewConsequence}</Text>
    </Confirm>
  )
}

/** Removes a controller, after confirmation. */
export function RemoveDevice({ device, onClose }: DialogProps) {
  const remove = useChange('removeDevice', {
    onSuccess() {
      close()
      notifications.show({ message: format(texts.removed, { name: device?.name ?? '' }) })
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
      onConfirm={() => device && remove.mutate({ deviceId: device.id })}
    >
      <Text>{texts.removeConsequence}</Text>
    </Confirm>
  )
}
