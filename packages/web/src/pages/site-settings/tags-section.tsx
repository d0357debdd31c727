import { Alert, Button, Stack, TagsInput, Text } from '@mantine/core'
import { MAX_SITE_TAGS, MAX_TAG_LENGTH } from '@plantroom/contract/site-tags'
import { useEffect, useState } from 'react'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { useTaggedSites } from '../../api/use-tagged-sites.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { Section } from '../../parts/section.tsx'
import { countTags } from '../../parts/site-picker.tsx'
import { format } from '../../texts/format.ts'
import { siteTags as texts } from '../../texts/site-tags.ts'

/** The tags of the site, which administrators can change. */
export function TagsSection() {
  const { siteId, may } = useSite()
  const sites = useTaggedSites()
  const own = sites.find(({ id }) => id === siteId)?.tags ?? []
  return (
    <Section title={texts.tags} maw={640}>
      <Text>{texts.settings.intro}</Text>
      {may('admin') ? (
        <TagsForm own={own} known={[...countTags(sites).keys()]} />
      ) : (
        <Text>{own.length > 0 ? own.join(', ') : texts.none}</Text>
      )}
    </Section>
  )
}

function TagsForm({ own, known }: { own: readonly string[]; known: readonly string[] }) {
  const { siteId } = useSite()
  const [tags, setTags] = useState<readonly string[]>(own)
  const stored = own.join(',')
  // Another person may have changed them meanwhile, and at first they are not loaded.
  useEffect(() => setTags(stored === '' ? [] : stored.split(',')), [stored])
  const save = useChange('changeSiteTags', { onSuccess: () => invalidate('listSites') })
  const add = tags.filter((tag) => !own.includes(tag))
  const remove = own.filter((tag) => !tags.includes(tag))
  const isChanged = add.length + remove.length > 0
  const isWrong = tags.some((tag) => tag.length > MAX_TAG_LENGTH)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) save.mutate({ body: { siteIds: [siteId], add, remove } })
      }}
    >
      <Stack>
        <TagsInput
          label={texts.tags}
          description={texts.settings.hint}
          data={[...known]}
          value={[...tags]}
          onChange={setTags}
          maxTags={MAX_SITE_TAGS}
          // Below it would cover the button.
          comboboxProps={{ position: 'top' }}
          error={isWrong && format(texts.settings.badTag, { most: MAX_TAG_LENGTH })}
        />
        {save.error && <ErrorNotice error={save.error} />}
        {save.isSuccess && !isChanged && (
          <Alert color="green" variant="light" role="status" title={texts.settings.saved} />
        )}
        <Button type="submit" loading={save.isPending} disabled={!isChanged} style={{ alignSelf: 'flex-start' }}>
          {texts.settings.save}
        </Button>
      </Stack>
    </form>
  )
}
