import { Badge, Button, Fieldset, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { ACTIVITY_ACTIONS, type ActivityAction, type ActivityEntry } from '@plantroom/contract/activity'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { NameSelect } from '../../parts/selects.tsx'
import { clockTime, exactTime } from '../../parts/time.ts'
import { TimeInput } from '../../parts/time-input.tsx'
import { actions, activity } from '../../texts/activity.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import {
  type ActivityFilters,
  fileAddress,
  isEmptyRange,
  isFiltered,
  readFilters,
  writeFilters,
} from './activity-filters.ts'
import { describeActivity, describeActor, describeCount } from './describe-activity.ts'
import { useActivity, useActors } from './use-activity.ts'

/** Who did what in the organization, for administrators. */
export function ActivityPage() {
  const { organization } = useSite()
  if (organization.isAdmin) return <Activity />
  return (
    <>
      <PageHead title={activity.title} />
      <Empty title={activity.forAdmins} />
    </>
  )
}

function Activity() {
  const { orgId } = useSite()
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  const found = useActivity(filters)
  const [refreshing, setRefreshing] = useState(false)

  async function refresh() {
    setRefreshing(true)
    await found.refetch()
    setRefreshing(false)
  }

  return (
    <>
      <PageHead
        title={activity.title}
        actions={
          <>
            <Button variant="default" onClick={() => void refresh()} loading={refreshing}>
              {activity.refresh}
            </Button>
            <Button component="a" variant="default" href={fileAddress(orgId, filters, 'csv')} download>
              {activity.download}
            </Button>
            <Button component="a" variant="default" href={fileAddress(orgId, filters, 'chain')} download>
              {activity.downloadChain}
            </Button>
          </>
        }
      >
        {activity.about}
      </PageHead>
      <FilterBar
        filters={filters}
        onChange={(choice) =>
          setParams((before) => writeFilters({ ...readFilters(before), ...choice }), { replace: true })
        }
      />
      <ActivityList
        found={found}
        filtered={isFiltered(filters)}
        onClear={() => setParams(new URLSearchParams(), { replace: true })}
      />
    </>
  )
}

const ACTIONS = ACTIVITY_ACTIONS.map((action) => ({ value: action, label: actions[action] }))

function FilterBar({
  filters,
  onChange,
}: {
  filters: ActivityFilters
  onChange: (choice: Partial<Record<keyof ActivityFilters, string | undefined>>) => void
}) {
  const { site } = useSite()
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
          timeZone={site.timeZone}
          error={isEmptyRange(filters) && activity.emptyRange}
        />
        <TimeInput
          label={activity.to}
          value={filters.to}
          onChange={(to) => onChange({ to })}
          timeZone={site.timeZone}
        />
      </SimpleGrid>
      <Text size="sm" mt="xs">
        {format(activity.zone, { zone: site.timeZone })}
      </Text>
    </Fieldset>
  )
}

/** The matching entries, and a button for older ones. */
function ActivityList({
  found,
  filtered,
  onClear,
}: {
  found: ReturnType<typeof useActivity>
  filtered: boolean
  onClear: () => void
}) {
  const { site } = useSite()
  const { data: entries, error, refetch } = found
  if (!entries) return error ? <ErrorNotice error={error} retry={refetch} /> : <Loading />
  return (
    <Stack gap="sm">
      <Group gap="sm" mih={30}>
        <Text size="sm" role="status">
          {entries.length > 0 &&
            !found.isPlaceholderData &&
            format(found.hasNextPage ? activity.shownOfMore : activity.shown, { count: entries.length })}
        </Text>
        <Text size="sm" className="figures">
          {format(activity.updatedAt, { time: clockTime(found.dataUpdatedAt, site.timeZone) })}
        </Text>
        {filtered && (
          <Button size="compact-sm" variant="default" onClick={onClear}>
            {activity.clearFilters}
          </Button>
        )}
      </Group>
      {error && <ErrorNotice error={error} retry={refetch} />}
      {entries.length === 0 ? (
        <Empty title={filtered ? activity.noneMatch : activity.noneAtAll}>
          {filtered ? activity.noneMatchHint : activity.noneAtAllHint}
        </Empty>
      ) : (
        <ActivityTable entries={entries} />
      )}
      {found.hasNextPage && !found.isPlaceholderData && (
        <Group justify="center">
          <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
            {common.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function ActivityTable({ entries }: { entries: readonly ActivityEntry[] }) {
  const { site, organization } = useSite()
  const siteName = (id: string) => organization.sites.find((each) => each.id === id)?.name ?? id
  return (
    <CardTable
      label={activity.listLabel}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { head: activity.what, cell: (entry) => <What entry={entry} /> },
        { head: activity.who, cell: describeActor },
        { head: activity.when, time: true, cell: ({ at }) => exactTime(at, site.timeZone) },
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
        <Badge variant="dot" color={outcome === 'failed' ? 'red' : 'orange'} tt="none" fw={600}>
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
