import { TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { ownTimeZone } from '../../own-time-zone.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { TimeZoneSelect } from '../../parts/selects.tsx'
import { useForm } from '../../parts/use-form.ts'
import { format } from '../../texts/format.ts'
import { home as texts } from '../../texts/home.ts'

/** Adds a site to an organization. */
export function AddSite({ organization, onClose }: { organization: SignedInOrganization; onClose: () => void }) {
  const add = useChange('addSite', {
    async onSuccess(site) {
      // The session lists the sites.
      await invalidate('getSession')
      notifications.show({ message: format(texts.added, { name: site.name }), color: 'green' })
      onClose()
    },
  })
  const form = useForm(add, () => ({ name: '', timeZone: ownTimeZone() }))
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      title={format(texts.addSiteTo, { organization: organization.name })}
      action={texts.add}
      failed={texts.failed}
      onSubmit={(body) => add.mutate({ orgId: organization.id, body })}
      centered
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        {...form.text('name')}
        autoComplete="off"
        data-autofocus
        required
      />
      <TimeZoneSelect label={texts.timeZone} description={texts.timeZoneHint} {...form.choice('timeZone')} />
    </DialogForm>
  )
}
