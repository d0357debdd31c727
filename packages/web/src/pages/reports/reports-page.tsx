import { Button, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { useIsWide } from '../../parts/card-table.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { clockTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { reports } from '../../texts/reports.ts'
import { ReportCards, ReportTable } from './report-entries.tsx'
import { ReportFilterBar } from './report-filter-bar.tsx'
import { csvAddress, isFiltered, type ReportPageFilters, readFilters, writeFilters } from './report-filters.ts'
import { chosen } from './report-names.ts'
import classes from './reports.module.css'
import { isKeptFresh, type LoadedNames, useReportNames, useReports } from './use-reports.ts'

/** The audit log: what every writer did to the equipment of a site. */
export function ReportsPage() {
  const { orgId, siteId } = useSite()
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  const isWide = useIsWide()
  const loaded = useReportNames()
  const found = useReports(filters)
  // Only for the button: the automatic refresh needs no indicator.
  const [refreshing, setRefreshing] = useState(false)

  async function refresh() {
    setRefreshing(true)
    await found.refetch()
    setRefreshing(false)
  }

  const change = (choice: Partial<ReportPageFilters>) =>
    setParams((before) => writeFilters(chosen(loaded.names, readFilters(before), choice)), { replace: true })

  return (
    <>
      <PageHead
        title={reports.title}
        actions={
          <>
            <Button variant="default" onClick={() => void refresh()} loading={refreshing}>
              {reports.refresh}
            </Button>
            <Button component="a" variant="default" href={csvAddress(orgId, siteId, filters)} download>
              {reports.download}
            </Button>
          </>
        }
      >
        {reports.about}
      </PageHead>
      <ReportFilterBar filters={filters} names={loaded.names} onChange={change} isWide={isWide} />
      <ReportList
        found={found}
        loaded={loaded}
        filtered={isFiltered(filters)}
        isWide={isWide}
        onClear={() => setParams(new URLSearchParams())}
      />
    </>
  )
}

/** The matching entries, and a button for older ones. */
function ReportList({
  found,
  loaded,
  filtered,
  isWide,
  onClear,
}: {
  found: ReturnType<typeof useReports>
  loaded: LoadedNames
  filtered: boolean
  isWide: boolean
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
            format(found.hasNextPage ? reports.shownOfMore : reports.shown, { count: entries.length })}
        </Text>
        <Text size="sm" className="figures">
          {format(reports.updatedAt, { time: clockTime(found.dataUpdatedAt, site.timeZone) })}
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
          {isWide ? (
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
      {!isKeptFresh(entries.length) && (
        <Text size="sm" ta="center">
          {reports.updatesStopped}
        </Text>
      )}
    </Stack>
  )
}
