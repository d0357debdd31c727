import { Checkbox, MultiSelect, Stack, TextInput } from '@mantine/core'
import { WEBHOOK_SUBSCRIPTIONS, type Webhook } from '@plantroom/contract/webhooks'
import { useChange } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { useForm } from '../../parts/use-form.ts'
import { webhooks } from '../../texts/webhooks.ts'

const texts = webhooks.add

const BLANK = { url: '', types: [...WEBHOOK_SUBSCRIPTIONS] as Webhook['types'][number][], siteIds: [] as string[] }

/** A form for the address, events and sites of a new webhook. */
export function AddWebhook({ onClose, onAdded }: { onClose: () => void; onAdded: (secret: string) => void }) {
  const { organization } = useOrganization()
  const add = useChange('addWebhook', { onSuccess: ({ secret }) => onAdded(secret) })
  const form = useForm(add, BLANK, ({ url, types }) => ({
    url: url === '' && texts.noAddress,
    types: types.length === 0 && texts.noEvent,
  }))
  return (
    <DialogForm
      form={form}
      title={texts.title}
      action={texts.submit}
      onClose={onClose}
      onSubmit={(filled) =>
        add.mutate({ body: { ...filled, siteIds: filled.siteIds.length === 0 ? null : filled.siteIds } })
      }
    >
      <TextInput
        type="url"
        label={texts.address}
        description={texts.addressHint}
        {...form.text('url')}
        required
        data-autofocus
      />
      <Checkbox.Group label={texts.events} {...form.choice('types')} required>
        <Stack gap="xs" my={6}>
          {WEBHOOK_SUBSCRIPTIONS.map((type) => (
            <Checkbox key={type} value={type} label={webhooks.type[type]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <MultiSelect
        label={texts.sites}
        description={texts.sitesHint}
        data={organization.sites.map(({ id, name: label }) => ({ value: id, label }))}
        {...form.choice('siteIds')}
        searchable
      />
    </DialogForm>
  )
}
