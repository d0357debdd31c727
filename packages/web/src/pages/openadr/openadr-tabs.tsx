import { Box } from '@mantine/core'
import { useLocation } from 'wouter'
import { organizationPath, useOrganization } from '../../api/use-site.ts'
import { TabLinks } from '../../parts/tab-links.tsx'
import { openadr } from '../../texts/openadr.ts'

const texts = openadr.tabs

const TABS = [
  ['/openadr', texts.programs],
  ['/openadr/events', texts.events],
  ['/openadr/reports', texts.reports],
] as const

/** The pages of OpenADR, as links. */
export function OpenadrTabs() {
  const { orgId } = useOrganization()
  const [here] = useLocation()
  const tabs = TABS.map(([below, name]) => {
    const to = organizationPath(orgId, below)
    return { name, to, isCurrent: here === to }
  })
  return (
    <Box mb="md" data-print="never">
      <TabLinks label={texts.label} tabs={tabs} />
    </Box>
  )
}
