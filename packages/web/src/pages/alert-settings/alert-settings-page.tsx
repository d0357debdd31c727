import { Stack } from '@mantine/core'
import { useOperation } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { alertRules } from '../../texts/alerts.ts'
import { RulesSection } from './rules-section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

/** When alerts open and close, and who is told: by mail, and by webhooks. */
export function AlertSettingsPage() {
  const { isAdmin } = useOrganization().organization
  const query = useOperation('getAlertRules', {}, { enabled: isAdmin })
  return (
    <>
      <PageHead title={alertRules.title}>{alertRules.intro}</PageHead>
      {!isAdmin && <Empty title={alertRules.forAdmins} />}
      {isAdmin && (
        <Stack gap="xl">
          <QueryView query={query}>{(stored) => <RulesSection stored={stored} />}</QueryView>
          <WebhooksSection />
        </Stack>
      )}
    </>
  )
}
