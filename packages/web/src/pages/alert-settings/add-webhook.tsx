import { Checkbox, MultiSelect, Stack, TextInput } from '@mantine/core'
import { WEBHOOK_SUBSCRIPTIONS, type Webhook } from '@plantroom/contract/webhooks'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { FormEnd, Modal } from '../../parts/dialogs.tsx'
import { webhooks } from '../../texts/webhooks.ts'

const texts = webhooks.add

/** A form for the address, events and sites of a new webhook. */
export function AddWebhook({ onClose, onAdded }: { onClose: () => void; onAdded: (secret: string) => void }) {
  const { organization } = useSite()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<Webhook['types'][number][]>([...WEBHOOK_SUBSCRIPTIONS])
  const [siteIds, setSiteIds] = useState<string[]>([])
  const [isTried, setIsTried] = useState(false)
  const add = useChange('addWebhook', { onSuccess: ({ secret }) => onAdded(secret) })
  const errors = {
    url: url.trim() === '' && texts.noAddress,
    types: types.length === 0 && texts.noEvent,
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsTried(true)
    if (Object.values(errors).some(Boolean)) return
    add.mutate({ body: { url: url.trim(), types, siteIds: siteIds.length === 0 ? null : siteIds } })
  }

  return (
    <Modal opened onClose={onClose} title={texts.title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            type="url"
            label={texts.address}
            description={texts.addressHint}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            required
            maxLength={2000}
            data-autofocus
            error={isTried && errors.url}
          />
          <Checkbox.Group
            label={texts.events}
            value={types}
            onChange={(chosen) => setTypes(chosen as typeof types)}
            required
            error={isTried && errors.types}
          >
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
            value={siteIds}
            onChange={setSiteIds}
            searchable
          />
          <FormEnd mutation={add} action={texts.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
