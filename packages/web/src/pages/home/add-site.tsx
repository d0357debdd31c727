import { Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { type FormEvent, useState } from 'react'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { FormEnd, Modal } from '../../parts/dialogs.tsx'
import { ownTimeZone, TimeZoneSelect } from '../../parts/selects.tsx'
import { format } from '../../texts/format.ts'
import { home as texts } from '../../texts/home.ts'

/** Adds a site to an organization. */
export function AddSite({
  organization,
  opened,
  onClose,
}: {
  organization: SignedInOrganization
  opened: boolean
  onClose: () => void
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={format(texts.addSiteTo, { organization: organization.name })}
      centered
    >
      <AddSiteForm orgId={organization.id} onClose={onClose} />
    </Modal>
  )
}

function AddSiteForm({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [timeZone, setTimeZone] = useState(ownTimeZone)
  const add = useChange('addSite', {
    async onSuccess(site) {
      // The session lists the sites.
      await invalidate('getSession')
      notifications.show({ message: format(texts.added, { name: site.name }), color: 'green' })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!add.isPending) add.mutate({ orgId, body: { name: name.trim(), timeZone } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={texts.name}
          description={texts.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={255}
          autoComplete="off"
          data-autofocus
          required
          withAsterisk={false}
        />
        <TimeZoneSelect
          label={texts.timeZone}
          description={texts.timeZoneHint}
          value={timeZone}
          onChange={setTimeZone}
        />
        <FormEnd mutation={add} action={texts.add} onCancel={onClose} failed={texts.failed} />
      </Stack>
    </form>
  )
}
