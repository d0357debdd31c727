import { Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { remember, useChange, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { members } from '../../texts/members.ts'

const texts = members.security

/** Lets an administrator require a second factor of every member. */
export function OrganizationSecurity() {
  const { orgId } = useSite()
  const query = useOperation('getOrganization', {})
  const change = useChange('updateOrganization', {
    onSuccess: (changed) => remember('getOrganization', { orgId }, changed),
  })
  return (
    <Paper component="section" withBorder p="lg" mt="lg" aria-labelledby="organization-security">
      <Title order={2} size="h4" id="organization-security" mb="sm">
        {texts.title}
      </Title>
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
    </Paper>
  )
}
