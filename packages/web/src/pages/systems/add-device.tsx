import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { CommandLines } from '../../parts/command-lines.tsx'
import { FormEnd, Modal } from '../../parts/dialogs.tsx'
import { CopyField, ShownOnce } from '../../parts/shown-once.tsx'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'
import { edgeCommand, edgeSettings } from './describe-system.ts'

const texts = systems.device

/** A form for a new controller. */
export function AddDevice({ onClose, onAdded }: { onClose: () => void; onAdded: (device: DeviceWithSecret) => void }) {
  const { siteId } = useSite()
  const [name, setName] = useState('')
  const [isBlank, setIsBlank] = useState(false)
  const add = useChange('addDevice', { onSuccess: onAdded })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsBlank(name.trim() === '')
    if (name.trim() !== '') add.mutate({ body: { name: name.trim(), siteId } })
  }

  return (
    <Modal opened onClose={onClose} title={texts.addTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={255}
            data-autofocus
            error={isBlank && texts.noName}
          />
          <FormEnd mutation={add} action={texts.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
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
