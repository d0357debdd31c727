import { Alert, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiError } from '@plantroom/client/http'
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

/** Removes a controller, after confirmation, and after a second one while it holds something. */
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
  const { error } = remove
  const holds = error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED'

  return (
    <Confirm
      opened={device !== undefined}
      onClose={close}
      title={format(texts.removeTitle, { name: device?.name ?? '' })}
      action={holds ? texts.removeAnyway : texts.removeAction}
      mutation={holds ? { ...remove, error: null } : remove}
      onConfirm={() => device && remove.mutate({ deviceId: device.id, query: holds ? { confirm: 'true' } : {} })}
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
