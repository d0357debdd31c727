import { Radio, SegmentedControl, Stack, TagsInput, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { SignedInOrganization } from '@plantroom/contract/roles'
import { MAX_SITE_TAGS } from '@plantroom/contract/site-tags'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { countTags, type PickedSite, SitePicker } from '../../parts/site-picker.tsx'
import { useForm } from '../../parts/use-form.ts'
import { format } from '../../texts/format.ts'
import { siteTags } from '../../texts/site-tags.ts'

const texts = siteTags.many

/** Gives tags to many sites of an organization at once, or takes them away. */
export function TagSites({
  organization,
  sites,
  shown,
  onClose,
}: {
  organization: SignedInOrganization
  sites: readonly PickedSite[]
  /** The sites that the list shows, when it does not show all of them. */
  shown: readonly string[] | undefined
  onClose: () => void
}) {
  const change = useChange('changeSiteTags', {
    async onSuccess(_changed, { body }) {
      await Promise.all([invalidate('getOverview'), invalidate('listSites')])
      notifications.show({ message: format(texts.done, { count: body.siteIds.length }), color: 'green' })
      onClose()
    },
  })
  const initial = { which: shown ? 'shown' : 'chosen', siteIds: [] as string[], action: 'add', tags: [] as string[] }
  const form = useForm(change, initial, ({ which, siteIds, tags }) => ({
    siteIds: which === 'chosen' && siteIds.length === 0 && texts.noSite,
    tags: tags.length === 0 && texts.noTag,
  }))
  const send = ({ which, siteIds, action, tags }: typeof initial) =>
    change.mutate({
      orgId: organization.id,
      body: { siteIds: which === 'shown' && shown ? shown : siteIds, [action]: tags },
    })
  return (
    <DialogForm
      form={form}
      onClose={onClose}
      title={format(texts.title, { organization: organization.name })}
      action={texts.submit}
      failed={texts.failed}
      onSubmit={send}
    >
      {shown && (
        <Radio.Group label={texts.which} {...form.choice('which')}>
          <Stack gap="xs" my={6}>
            <Radio value="shown" label={format(texts.shown, { count: shown.length })} />
            <Radio value="chosen" label={texts.chosen} />
          </Stack>
        </Radio.Group>
      )}
      {form.values.which === 'chosen' && (
        <SitePicker label={texts.which} sites={sites} {...form.choice('siteIds')} required />
      )}
      <SegmentedControl
        aria-label={texts.what}
        data={[
          { value: 'add', label: texts.give },
          { value: 'remove', label: texts.take },
        ]}
        value={form.values.action}
        onChange={(action) => form.set({ action })}
      />
      <TagsInput
        label={siteTags.tags}
        description={texts.hint}
        data={[...countTags(sites).keys()]}
        {...form.choice('tags')}
        maxTags={MAX_SITE_TAGS}
        // Below it would cover the buttons.
        comboboxProps={{ position: 'top' }}
        required
      />
      <Text size="sm">{texts.consequence}</Text>
    </DialogForm>
  )
}
