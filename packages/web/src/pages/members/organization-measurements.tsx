import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { remember, useChange, useOperation } from '../../api/use-operation.ts'
import { useOrganization } from '../../api/use-site.ts'
import { ErrorNotice, QueryView } from '../../parts/notices.tsx'
import { CardSection } from '../../parts/section.tsx'
import { members } from '../../texts/members.ts'

const texts = members.measurements
const MOST_DAYS = 36_500

/** Lets an administrator decide how long measurements are kept. */
export function OrganizationMeasurements() {
  const query = useOperation('getOrganization', {})
  return (
    <CardSection id="organization-measurements" title={texts.title}>
      <QueryView query={query}>{({ measurementDays }) => <DaysForm kept={measurementDays} />}</QueryView>
    </CardSection>
  )
}

function DaysForm({ kept }: { kept: number | null }) {
  const { orgId } = useOrganization()
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
