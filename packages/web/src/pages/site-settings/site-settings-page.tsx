import { Stack, Text, Title } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import { PageHead } from '../../parts/notices.tsx'
import { siteSettings } from '../../texts/site-settings.ts'
import { NamingForm } from './naming-form.tsx'
import { RequestsSwitch } from './requests-switch.tsx'

/** The settings of a site, which everybody reads and administrators change. */
export function SiteSettingsPage() {
  const { may } = useSite()
  return (
    <>
      <PageHead title={siteSettings.title}>{siteSettings.intro}</PageHead>
      <Stack gap="xl">
        {!may('admin') && <Text>{siteSettings.forAdmins}</Text>}
        {may('admin') ? <NamingForm /> : <Naming />}
        <RequestsSwitch />
      </Stack>
    </>
  )
}

/** The same for those who only read it. */
function Naming() {
  const { site } = useSite()
  const texts = siteSettings.naming
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h3">
        {texts.title}
      </Title>
      <Text>
        {texts.name}: {site.name}
      </Text>
      <Text>
        {texts.timeZone}: {site.timeZone}
      </Text>
    </Stack>
  )
}
