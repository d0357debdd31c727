import { Alert, Button, FocusTrap, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyField } from '../../parts/copy-field.tsx'
import { common } from '../../texts/common.ts'
import { systems } from '../../texts/systems.ts'
import { edgeSettings } from './system-words.ts'

const texts = systems.secret

export interface DeviceWithSecret {
  id: string
  name: string
  secret: string
}

/** What an edge is started with; the secret is shown this once, so that a click beside it must not lose it. */
export function DeviceSecret({ device, onClose }: { device: DeviceWithSecret; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.title(device.name)}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {/* Enter, pressed once too often, must not close it. */}
      <FocusTrap.InitialFocus />
      <Stack>
        <Alert color="orange" variant="light" role="status" title={texts.warning} />
        <Text size="sm">{texts.hint}</Text>
        {edgeSettings(device, location).map(([name, value]) => (
          <CopyField
            key={name}
            label={name}
            value={value}
            {...(name === 'MQTT_URL' && { description: texts.broker })}
          />
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>{texts.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
