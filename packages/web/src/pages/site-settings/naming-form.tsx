import { Alert, Button, Stack, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { TimeZoneSelect } from '../../parts/time-zone-select.tsx'
import { siteSettings } from '../../texts/site-settings.ts'
import { useSiteChanges } from './use-site-changes.ts'

const texts = siteSettings.naming

/** What the site is called and by which clock it goes. */
export function NamingForm() {
  const { site } = useSite()
  const [name, setName] = useState(site.name)
  const [timeZone, setTimeZone] = useState(site.timeZone)
  const [isBlank, setIsBlank] = useState(false)
  const save = useSiteChanges()
  const changes = {
    ...(name.trim() !== site.name && { name: name.trim() }),
    ...(timeZone !== site.timeZone && { timeZone }),
  }
  const isChanged = Object.keys(changes).length > 0

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsBlank(name.trim() === '')
    if (name.trim() !== '' && isChanged) save.mutate(changes)
  }

  return (
    <Stack component="section" maw={480}>
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={texts.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={255}
            required
            error={isBlank && texts.blank}
          />
          <TimeZoneSelect
            label={texts.timeZone}
            description={texts.timeZoneHint}
            value={timeZone}
            onChange={setTimeZone}
          />
          {save.error && <ErrorNotice error={save.error} />}
          {save.data && !isChanged && (
            <Alert color="green" variant="light" role="status" title={texts.saved}>
              {save.data.note && sentence(save.data.note)}
            </Alert>
          )}
          <Button type="submit" loading={save.isPending} disabled={!isChanged} style={{ alignSelf: 'flex-start' }}>
            {texts.save}
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}

/** The service speaks in ends of sentences. */
const sentence = (note: string) => `${note.slice(0, 1).toUpperCase()}${note.slice(1)}.`
