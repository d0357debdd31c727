import { Stack, Switch, Text } from '@mantine/core'
import { remember, useChange, useOperation } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { CardSection } from '../../parts/section.tsx'
import { members } from '../../texts/members.ts'

const texts = members.security

/** Lets an administrator require a second factor of every member. */
export function OrganizationSecurity() {
  const { orgId } = useOrganization()
  const query = useOperation('getOrganization', {})
  const change = useChange('updateOrganization', {
    onSuccess: (changed) => remember('getOrganization', { orgId }, changed),
  })
  return (
    <CardSection id="organization-security" title={texts.title}>
      <QueryView query={query}>
        {({ requireSecondFactor }) => (
          <Stack gap="xs">
            <Switch
              label={texts.require}
              checked={requireSecondFactor}
              disabled={change.isPending}
              onChange={(event) => change.mutate({ body: { requireSecondFactor: event.currentTarget.checked } })}
            />
            <Text c="dimmed" size="sm">
              {texts.requireHint}
            </Text>
            {change.error && <ErrorNotice error={change.error} title={texts.failed} />}
          </Stack>
        )}
      </QueryView>
    </CardSection>
  )
}
