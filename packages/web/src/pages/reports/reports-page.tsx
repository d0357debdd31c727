import { Button, Text } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import { useFilters } from '../../parts/address-filters.ts'
import { useIsWide } from '../../parts/card-table.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { reports } from '../../texts/reports.ts'
import { ReportCards, ReportTable } from './report-entries.tsx'
import { ReportFilterBar } from './report-filter-bar.tsx'
import { csvAddress, REPORT_FILTERS } from './report-filters.ts'
import { chosen } from './report-names.ts'
import { isKeptFresh, useReportNames, useReports } from './use-reports.ts'

/** The audit log: what every writer did to the equipment of a site. */
export function ReportsPage() {
  const { orgId, siteId, site } = useSite()
  const { filters, change, clear } = useFilters(REPORT_FILTERS)
  const isWide = useIsWide()
  const loaded = useReportNames()
  const query = useReports(filters)
  const Entries = isWide ? ReportTable : ReportCards
  return (
    <ListPage
      texts={reports}
      timeZone={site.timeZone}
      query={query}
      filters={filters}
      onClear={clear}
      actions={
        <Button component="a" variant="default" href={csvAddress(orgId, siteId, filters)} download>
          {reports.download}
        </Button>
      }
      bar={
        <ReportFilterBar
          filters={filters}
          names={loaded.names}
          onChange={(choice) => change((now) => chosen(loaded.names, now, choice))}
          isWide={isWide}
        />
      }
      notice={loaded.error && <ErrorNotice error={loaded.error} title={reports.namesFailed} />}
      end={
        !isKeptFresh(query.data?.length ?? 0) && (
          <Text size="sm" ta="center">
            {reports.updatesStopped}
          </Text>
        )
      }
    >
      {(entries) => <Entries entries={entries} loaded={loaded} />}
    </ListPage>
  )
}
