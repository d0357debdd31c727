import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { PageHead } from '../../parts/notices.tsx'
import { useRoomy } from '../../parts/use-roomy.ts'
import { reports } from '../../texts/reports.ts'
import { ReportFilterBar } from './report-filter-bar.tsx'
import { csvAddress, isFiltered, type ReportPageFilters, readFilters, writeFilters } from './report-filters.ts'
import { ReportList } from './report-list.tsx'
import { chosen } from './report-names.ts'
import { useReportNames, useReports } from './use-reports.ts'

/** What optimisation did to the equipment of a site. */
export function ReportsPage() {
  const { orgId, siteId } = useSite()
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  const roomy = useRoomy()
  const loaded = useReportNames()
  const found = useReports(filters)
  // Not whenever it is fetched: that it is every few seconds is no news.
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
      <ReportFilterBar filters={filters} names={loaded.names} onChange={change} roomy={roomy} />
      <ReportList
        found={found}
        loaded={loaded}
        filtered={isFiltered(filters)}
        roomy={roomy}
        onClear={() => setParams(new URLSearchParams())}
      />
    </>
  )
}
