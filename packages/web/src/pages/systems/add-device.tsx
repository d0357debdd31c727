import { Modal, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { administration } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { FormEnd } from '../../parts/form-end.tsx'
import { common } from '../../texts/common.ts'
import { systems } from '../../texts/systems.ts'
import type { DeviceWithSecret } from './device-secret.tsx'

const texts = systems.device

/** A new device of the site, by name. */
export function AddDevice({ onClose, onAdded }: { onClose: () => void; onAdded: (device: DeviceWithSecret) => void }) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [isBlank, setIsBlank] = useState(false)
  const add = useMutation({
    mutationFn: () => administration.addDevice(orgId, siteId, name.trim()),
    onSuccess(device) {
      void client.invalidateQueries({ queryKey: ['devices', orgId] })
      onAdded(device)
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsBlank(name.trim() === '')
    if (name.trim() !== '') add.mutate()
  }

  return (
    <Modal opened onClose={onClose} title={texts.addTitle} closeButtonProps={{ 'aria-label': common.close }}>
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
