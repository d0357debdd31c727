import { Button, Group, Stack, Text } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { clockTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { reports } from '../../texts/reports.ts'
import { ReportCards } from './report-cards.tsx'
import { ReportTable } from './report-table.tsx'
import classes from './reports.module.css'
import { isKeptFresh, type LoadedNames, type useReports } from './use-reports.ts'

/** The entries that match, and the way to older ones. */
export function ReportList({
  found,
  loaded,
  filtered,
  roomy,
  onClear,
}: {
  found: ReturnType<typeof useReports>
  loaded: LoadedNames
  filtered: boolean
  roomy: boolean
  onClear: () => void
}) {
  const { site } = useSite()
  const { data, error, refetch } = found
  if (!data) return error ? <ErrorNotice error={error} retry={refetch} /> : <Loading />
  const entries = data.pages.flatMap((page) => page.reports)
  return (
    <Stack gap="sm">
      <Group gap="sm" mih={30}>
        <Text size="sm" role="status">
          {entries.length > 0 && !found.isPlaceholderData && reports.shown(entries.length, found.hasNextPage)}
        </Text>
        <Text size="sm" className="figures">
          {reports.updatedAt(clockTime(found.dataUpdatedAt, site.timeZone))}
        </Text>
        {filtered && (
          <Button size="compact-sm" variant="default" onClick={onClear}>
            {reports.clearFilters}
          </Button>
        )}
      </Group>
      {error && !found.isFetchNextPageError && <ErrorNotice error={error} retry={refetch} />}
      {loaded.error && <ErrorNotice error={loaded.error} title={reports.namesFailed} />}
      {entries.length === 0 && (
        <Empty title={filtered ? reports.noneMatch : reports.noneAtAll}>
          {filtered ? reports.noneMatchHint : reports.noneAtAllHint}
        </Empty>
      )}
      {entries.length > 0 && (
        <div className={found.isPlaceholderData ? classes.stale : undefined} aria-busy={found.isPlaceholderData}>
          {roomy ? (
            <ReportTable entries={entries} loaded={loaded} />
          ) : (
            <ReportCards entries={entries} loaded={loaded} />
          )}
        </div>
      )}
      {error && found.isFetchNextPageError && <ErrorNotice error={error} />}
      {found.hasNextPage && !found.isPlaceholderData && (
        <Group justify="center">
          <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
            {common.more}
          </Button>
        </Group>
      )}
      {!isKeptFresh(data.pages.length) && (
        <Text size="sm" ta="center">
          {reports.updatesStopped}
        </Text>
      )}
    </Stack>
  )
}
