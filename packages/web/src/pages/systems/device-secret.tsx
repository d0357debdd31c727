import { Alert, Text } from '@mantine/core'
import { CopyField } from '../../parts/copy-field.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { systems } from '../../texts/systems.ts'
import { edgeSettings } from './system-words.ts'

const texts = systems.secret

export interface DeviceWithSecret {
  id: string
  name: string
  secret: string
}

/** What an edge is started with. */
export function DeviceSecret({ device, onClose }: { device: DeviceWithSecret; onClose: () => void }) {
  return (
    <ShownOnce title={texts.title(device.name)} done={texts.done} onClose={onClose}>
      <Alert color="orange" variant="light" role="status" title={texts.warning} />
      <Text size="sm">{texts.hint}</Text>
      {edgeSettings(device, location).map(([name, value]) => (
        <CopyField key={name} label={name} value={value} {...(name === 'MQTT_URL' && { description: texts.broker })} />
      ))}
    </ShownOnce>
  )
}
