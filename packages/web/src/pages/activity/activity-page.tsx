import { Badge, Button, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core'
import { ACTIVITY_ACTIONS, type ActivityAction, type ActivityEntry } from '@plantroom/contract/activity'
import { useOrganization } from '../../api/use-site.ts'
import { isEmptyRange, useFilters } from '../../parts/address-filters.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { ForAdmins } from '../../parts/for-admins.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { NameSelect } from '../../parts/selects.tsx'
import { exactTime } from '../../parts/time.ts'
import { TimeInput } from '../../parts/time-input.tsx'
import { actions, activity } from '../../texts/activity.ts'
import { format } from '../../texts/format.ts'
import { ACTIVITY_FILTERS, type ActivityFilters, fileAddress } from './activity-filters.ts'
import { describeActivity, describeActor, describeCount } from './describe-activity.ts'
import { useActivity, useActors } from './use-activity.ts'

/** Who did what in the organization, for administrators. */
export function ActivityPage() {
  const { isAdmin } = useOrganization().organization
  return (
    <ForAdmins isAdmin={isAdmin} title={activity.title} hint={activity.forAdmins}>
      <Activity />
    </ForAdmins>
  )
}

function Activity() {
  const { orgId, timeZone } = useOrganization()
  const { filters, change, clear } = useFilters(ACTIVITY_FILTERS)
  const query = useActivity(filters)
  return (
    <ListPage
      texts={activity}
      timeZone={timeZone}
      query={query}
      filters={filters}
      onClear={clear}
      actions={
        <>
          <Button component="a" variant="default" href={fileAddress(orgId, filters, 'csv')} download>
            {activity.download}
          </Button>
          <Button component="a" variant="default" href={fileAddress(orgId, filters, 'chain')} download>
            {activity.downloadChain}
          </Button>
        </>
      }
      bar={<FilterBar filters={filters} onChange={(choice) => change((now) => ({ ...now, ...choice }))} />}
    >
      {(entries) => <ActivityTable entries={entries} />}
    </ListPage>
  )
}

const ACTIONS = ACTIVITY_ACTIONS.map((action) => ({ value: action, label: actions[action] }))

function FilterBar({
  filters,
  onChange,
}: {
  filters: ActivityFilters
  onChange: (choice: Partial<ActivityFilters>) => void
}) {
  const { timeZone } = useOrganization()
  const actors = useActors()
  return (
    <Fieldset variant="unstyled" m={0} p={0} mb="md" aria-label={activity.filtersLabel}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" verticalSpacing="xs">
        <NameSelect
          label={activity.action}
          placeholder={activity.anyAction}
          choices={ACTIONS}
          value={filters.action ?? null}
          onChange={(action) => onChange({ action: (action as ActivityAction | null) ?? undefined })}
        />
        <NameSelect
          label={activity.who}
          placeholder={activity.anyone}
          choices={actors}
          value={filters.actor ?? null}
          onChange={(actor) => onChange({ actor: actor ?? undefined })}
        />
        <TimeInput
          label={activity.from}
          value={filters.from}
          onChange={(from) => onChange({ from })}
          timeZone={timeZone}
          error={isEmptyRange(filters) && activity.emptyRange}
        />
        <TimeInput label={activity.to} value={filters.to} onChange={(to) => onChange({ to })} timeZone={timeZone} />
      </SimpleGrid>
      <Text size="sm" mt="xs">
        {format(activity.zone, { zone: timeZone })}
      </Text>
    </Fieldset>
  )
}

function ActivityTable({ entries }: { entries: readonly ActivityEntry[] }) {
  const { timeZone, organization } = useOrganization()
  const siteName = (id: string) => organization.sites.find((each) => each.id === id)?.name ?? id
  return (
    <CardTable
      label={activity.listLabel}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { head: activity.what, cell: (entry) => <What entry={entry} /> },
        { head: activity.who, name: true, cell: describeActor },
        { head: activity.when, time: true, cell: ({ at }) => exactTime(at, timeZone) },
        { head: activity.where, cell: ({ address }) => address },
        { head: activity.site, cell: ({ siteId }) => siteId && siteName(siteId) },
      ]}
    />
  )
}

function What({ entry }: { entry: ActivityEntry }) {
  const { outcome } = entry
  const count = describeCount(entry)
  return (
    <Stack gap={4} align="flex-start">
      <span>{describeActivity(entry)}</span>
      {outcome !== 'done' && (
        <Badge variant="dot" color={outcome === 'failed' ? 'red' : 'orange'} fw={600}>
          {outcome === 'failed' ? activity.failed : activity.refused}
        </Badge>
      )}
      {count && (
        <Text span size="sm">
          {count}
        </Text>
      )}
    </Stack>
  )
}
