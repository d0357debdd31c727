import { Alert, Text, TextInput } from '@mantine/core'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { CommandLines } from '../../parts/command-lines.tsx'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { CopyField, ShownOnce } from '../../parts/shown-once.tsx'
import { useForm } from '../../parts/use-form.ts'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'
import { edgeCommand, edgeSettings } from './describe-system.ts'

const texts = systems.device

/** A form for a new controller. */
export function AddDevice({ onClose, onAdded }: { onClose: () => void; onAdded: (device: DeviceWithSecret) => void }) {
  const { siteId } = useSite()
  const add = useChange('addDevice', { onSuccess: onAdded })
  const form = useForm(add, { name: '' }, ({ name }) => ({ name: name === '' && texts.noName }))
  return (
    <DialogForm
      form={form}
      title={texts.addTitle}
      action={texts.submit}
      onClose={onClose}
      onSubmit={({ name }) => add.mutate({ body: { name, siteId } })}
    >
      <TextInput label={texts.name} description={texts.nameHint} {...form.text('name')} required data-autofocus />
    </DialogForm>
  )
}

const secretTexts = systems.secret

export interface DeviceWithSecret {
  id: string
  name: string
  secret: string
  brokerUrl: string
}

/** The command with which an installer starts a new controller, and its settings one by one. */
export function DeviceSecret({ device, onClose }: { device: DeviceWithSecret; onClose: () => void }) {
  return (
    <ShownOnce
      title={format(secretTexts.title, { name: device.name })}
      done={secretTexts.done}
      secret={device.secret}
      onClose={onClose}
    >
      <Alert color="orange" variant="light" role="status" title={secretTexts.warning} />
      <CommandLines lines={[{ what: secretTexts.command, line: edgeCommand(device) }]} />
      <Text size="sm">{secretTexts.hint}</Text>
      {edgeSettings(device).map(([name, value]) => (
        <CopyField
          key={name}
          label={name}
          value={value}
          {...(name === 'MQTT_URL' && { description: secretTexts.broker })}
        />
      ))}
    </ShownOnce>
  )
}
