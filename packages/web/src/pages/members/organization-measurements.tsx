import { Button, Group, NumberInput, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { remember, useChange, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { members } from '../../texts/members.ts'

const texts = members.measurements
const MOST_DAYS = 36_500

/** Lets an administrator decide how long measurements are kept. */
export function OrganizationMeasurements() {
  const query = useOperation('getOrganization', {})
  return (
    <Paper component="section" withBorder p="lg" mt="lg" aria-labelledby="organization-measurements">
      <Title order={2} size="h4" id="organization-measurements" mb="sm">
        {texts.title}
      </Title>
      <QueryView query={query}>{({ measurementDays }) => <DaysForm kept={measurementDays} />}</QueryView>
    </Paper>
  )
}

function DaysForm({ kept }: { kept: number | null }) {
  const { orgId } = useSite()
  const [days, setDays] = useState<number | string>(kept ?? '')
  const change = useChange('updateOrganization', {
    onSuccess: (changed) => remember('getOrganization', { orgId }, changed),
  })
  const isUnchanged = days === (kept ?? '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ body: { measurementDays: typeof days === 'number' ? days : null } })
      }}
    >
      <Stack gap="xs">
        <Group align="flex-end">
          <NumberInput
            label={texts.days}
            value={days}
            min={1}
            max={MOST_DAYS}
            allowDecimal={false}
            allowNegative={false}
            disabled={change.isPending}
            onChange={setDays}
          />
          <Button type="submit" variant="default" disabled={isUnchanged} loading={change.isPending}>
            {texts.save}
          </Button>
          {change.isSuccess && isUnchanged && (
            <Text size="sm" role="status">
              {texts.saved}
            </Text>
          )}
        </Group>
        <Text c="dimmed" size="sm">
          {texts.daysHint}
        </Text>
        {change.error && <ErrorNotice error={change.error} title={texts.failed} />}
      </Stack>
    </form>
  )
}
