import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { invalidate, useChange } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { CopyId } from '../../parts/copy-id.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeZoneSelect } from '../../parts/selects.tsx'
import { useForm } from '../../parts/use-form.ts'
import { capitalized } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { siteSettings } from '../../texts/site-settings.ts'
import { TagsSection } from './tags-section.tsx'

/** The settings of a site, which administrators can change. */
export function SiteSettingsPage() {
  const { may } = useSite()
  return (
    <>
      <PageHead title={siteSettings.title}>{siteSettings.intro}</PageHead>
      <Stack gap="xl">
        {!may('admin') && <Text>{siteSettings.forAdmins}</Text>}
        {may('admin') ? <NamingForm /> : <Naming />}
        <TagsSection />
        <RequestsSwitch />
        <Ids />
      </Stack>
    </>
  )
}

/** The ids that programs use. */
function Ids() {
  const { organization, site } = useSite()
  const texts = siteSettings.ids
  return (
    <Section title={texts.title} gap="xs" align="flex-start">
      {[
        { kind: texts.organization, ...organization },
        { kind: texts.site, ...site },
      ].map(({ kind, id, name }) => (
        <Group key={id} gap="xs">
          <Text>{format(common.fact, { name: kind, value: id })}</Text>
          <CopyId id={id} name={name} />
        </Group>
      ))}
    </Section>
  )
}

/** The name and time zone, read only. */
function Naming() {
  const { site } = useSite()
  const texts = siteSettings.naming
  return (
    <Section title={texts.title} gap="xs">
      <Text>{format(common.fact, { name: texts.name, value: site.name })}</Text>
      <Text>{format(common.fact, { name: texts.timeZone, value: site.timeZone })}</Text>
    </Section>
  )
}

const namingTexts = siteSettings.naming

/** A form for the name and time zone of the site. */
function NamingForm() {
  const { site } = useSite()
  const save = useSiteChanges()
  const form = useForm(save, { name: site.name, timeZone: site.timeZone }, ({ name }) => ({
    name: name === '' && namingTexts.blank,
  }))
  const changesOf = ({ name, timeZone }: typeof form.values) => ({
    ...(name.trim() !== site.name && { name: name.trim() }),
    ...(timeZone !== site.timeZone && { timeZone }),
  })
  const isChanged = Object.keys(changesOf(form.values)).length > 0

  return (
    <Section title={namingTexts.title} maw={480}>
      <form onSubmit={form.submit((filled) => save.mutate({ body: changesOf(filled) }))} noValidate>
        <Stack>
          <TextInput label={namingTexts.name} {...form.text('name')} required />
          <TimeZoneSelect
            label={namingTexts.timeZone}
            description={namingTexts.timeZoneHint}
            {...form.choice('timeZone')}
          />
          {form.error && <ErrorNotice error={form.error} />}
          {save.data && !isChanged && (
            <Alert color="green" variant="light" role="status" title={namingTexts.saved}>
              {save.data.note && sentence(save.data.note)}
            </Alert>
          )}
          <Button type="submit" loading={save.isPending} disabled={!isChanged} style={{ alignSelf: 'flex-start' }}>
            {common.save}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}

/** Makes a sentence of a note of the service. */
const sentence = (note: string) => `${capitalized(note)}.`

const requestsTexts = siteSettings.requests

/** Turns maintenance requests on or off. */
function RequestsSwitch() {
  const { site, may } = useSite()
  const [asking, { open, close }] = useDisclosure()
  const isOn = site.maintenanceRequests
  const change = useSiteChanges(() => {
    close()
    notifications.show({ message: isOn ? requestsTexts.nowOff : requestsTexts.nowOn })
  })

  return (
    <Section title={requestsTexts.title} align="flex-start" maw={640}>
      <Text>{isOn ? requestsTexts.isOn : requestsTexts.isOff}</Text>
      {may('admin') && isOn && (
        <Button variant="default" onClick={open}>
          {requestsTexts.turnOff}
        </Button>
      )}
      {may('admin') && !isOn && (
        <Button onClick={() => change.mutate({ body: { maintenanceRequests: true } })} loading={change.isPending}>
          {requestsTexts.turnOn}
        </Button>
      )}
      {!isOn && change.error && <ErrorNotice error={change.error} />}
      <Confirm
        opened={asking}
        onClose={close}
        title={requestsTexts.offTitle}
        action={requestsTexts.turnOff}
        mutation={change}
        onConfirm={() => change.mutate({ body: { maintenanceRequests: false } })}
      >
        <Text>{requestsTexts.offConsequence}</Text>
      </Confirm>
    </Section>
  )
}

/** Changes the site and refreshes the session, which lists the sites. */
function useSiteChanges(onDone: () => void = () => {}) {
  return useChange('updateSite', {
    async onSuccess() {
      await invalidate('getSession')
      onDone()
    },
  })
}
