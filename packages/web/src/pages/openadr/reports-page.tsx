import { Badge, Text } from '@mantine/core'
import type { OpenadrReport } from '@plantroom/contract/openadr'
import { keepPreviousData } from '@tanstack/react-query'
import { usePages } from '../../api/use-pages.ts'
import { organizationPath, useOrganization } from '../../api/use-site.ts'
import { useNow } from '../../live/use-now.ts'
import { useFilters } from '../../parts/address-filters.ts'
import { CardTable } from '../../parts/card-table.tsx'
import { Link } from '../../parts/link.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { plannedTime } from '../../parts/time.ts'
import { joinFacts } from '../../parts/value.ts'
import { openadrReports as texts } from '../../texts/openadr-events.ts'
import { describePeriod } from './describe-event.ts'
import { describeAnswer, describeSending, REPORT_COLORS } from './describe-report.ts'
import { FilterBar } from './filter-bar.tsx'
import { REPORT_FILTERS } from './filters.ts'
import classes from './openadr.module.css'
import { OpenadrTabs } from './openadr-tabs.tsx'

const PAGE = 50
const EVERY_MS = 10_000

/** The reports to the VTNs of an organization: sent, due and refused. */
export function ReportsPage() {
  const { timeZone } = useOrganization()
  const { filters, change, clear } = useFilters(REPORT_FILTERS)
  const query = usePages('listOpenadrReports', { query: { ...filters, limit: PAGE } }, ({ reports }) => reports, {
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  })
  return (
    <ListPage
      texts={texts}
      timeZone={timeZone}
      query={query}
      filters={filters}
      onClear={clear}
      actions={null}
      bar={
        <>
          <OpenadrTabs />
          <FilterBar
            filters={filters}
            states={texts.states}
            onChange={(choice) => change((now) => ({ ...now, ...choice }))}
          />
        </>
      }
    >
      {(reports) => <ReportTable reports={reports} />}
    </ListPage>
  )
}

function ReportTable({ reports }: { reports: readonly OpenadrReport[] }) {
  const { orgId, timeZone } = useOrganization()
  const now = useNow(10_000)
  const timeOf = (at: string) => plannedTime(at, timeZone, now)
  return (
    <CardTable
      label={texts.list}
      rows={reports}
      keyOf={({ id }) => id}
      columns={[
        {
          head: texts.report,
          name: true,
          cell: ({ payloads, resources }) => (
            <>
              <span className={classes.wrap}>{payloads.join(', ')}</span>
              <Text size="sm" c="dimmed" fw={400} className={classes.wrap}>
                {resources.join(', ')}
              </Text>
            </>
          ),
        },
        {
          head: texts.event,
          cell: ({ programId, programName, eventId, eventName }) => (
            <>
              <Link to={organizationPath(orgId, `/openadr/events?programId=${encodeURIComponent(programId)}`)} inherit>
                {programName}
              </Link>
              <Text size="sm" c="dimmed" className={classes.wrap}>
                {eventName ?? eventId ?? texts.noEvent}
              </Text>
            </>
          ),
        },
        { head: texts.period, cell: (report) => describePeriod(report, { timeZone, now }) },
        {
          head: texts.state,
          cell: (report) => (
            <>
              <Badge variant="light" color={REPORT_COLORS[report.state]} radius="sm">
                {texts.states[report.state]}
              </Badge>
              <Text size="sm">{joinFacts([describeSending(report, timeOf)])}</Text>
            </>
          ),
        },
        {
          head: texts.answer,
          cell: (report) =>
            describeAnswer(report).map((line) => (
              <Text size="sm" key={line} className={classes.wrap} lineClamp={4}>
                {line}
              </Text>
            )),
        },
      ]}
    />
  )
}
