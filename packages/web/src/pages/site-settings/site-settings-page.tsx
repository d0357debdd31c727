import { Stack, Text } from '@mantine/core'
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
        <NamingForm />
        <RequestsSwitch />
      </Stack>
    </>
  )
}
