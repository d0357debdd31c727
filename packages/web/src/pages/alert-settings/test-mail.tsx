import { Alert, Anchor, Group, Text } from '@mantine/core'
import { useChange } from '../../api/use-operation.ts'
import { useSendsMail } from '../../api/use-set-up.ts'
import { sitePath, useOrganization } from '../../api/use-site.ts'
import { ChangeButton } from '../../parts/change-button.tsx'
import { Link, RichText } from '../../parts/link.tsx'
import { alertRules } from '../../texts/alerts.ts'
import { navigation } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'

const texts = alertRules.mail

/** Says that the service sends no mail and what to do about it; otherwise sends a test mail. */
export function TestMail() {
  return useSendsMail() ? <SendTestMail /> : <NoMail />
}

function NoMail() {
  return (
    <Alert color="orange" variant="light" title={texts.none}>
      {texts.noneHint}{' '}
      <Anchor href="/help/reference/settings" target="_blank" rel="noopener" inherit underline="always">
        {texts.toSettings}
      </Anchor>
    </Alert>
  )
}

function SendTestMail() {
  const { organization, orgId } = useOrganization()
  // An outbox is shown only where maintenance requests are on.
  const outbox = organization.sites.find((each) => each.maintenanceRequests)
  const send = useChange('sendTestMail')
  const { data: sent } = send
  return (
    <Group gap="sm">
      <ChangeButton change={send} onClick={() => send.mutate({ orgId, body: outbox ? { siteId: outbox.id } : {} })}>
        {texts.test}
      </ChangeButton>
      <Text role="status" size="sm">
        {sent?.siteId === null && format(texts.queued, { email: sent.recipient })}
        {sent && sent.siteId !== null && (
          <RichText
            message={texts.queuedIn}
            values={{
              email: sent.recipient,
              outbox: (
                <Link to={sitePath(orgId, sent.siteId, `/settings/outbox?mail=${sent.mailId}`)} inherit>
                  {navigation.outbox}
                </Link>
              ),
            }}
          />
        )}
      </Text>
    </Group>
  )
}
