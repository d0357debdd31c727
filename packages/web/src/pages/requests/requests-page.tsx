import { Button, Group, Stack, Text } from '@mantine/core'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/tickets'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { useIsWide } from '../../parts/card-table.tsx'
import { Link, RichText } from '../../parts/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requests, states } from '../../texts/requests.ts'
import { BulkBar } from './bulk-bar.tsx'
import { NewRequestDialog } from './new-request-dialog.tsx'
import { RequestFilterBar } from './request-filter-bar.tsx'
import {
  csvAddress,
  isFiltered,
  NO_FILTERS,
  type RequestFilters,
  readFilters,
  sortedBy,
  writeFilters,
} from './request-filters.ts'
import { RequestsOff } from './request-parts.tsx'
import { RequestCards, RequestTable } from './request-rows.tsx'
import classes from './requests.module.css'
import { type Selection, toggled, toggledAll } from './selection.ts'
import { useListKeys } from './use-list-keys.ts'
import { useRequestCounts, useRequests } from './use-request-list.ts'
import { ViewTabs } from './view-tabs.tsx'

/** The parameter of the address that opens the form of a new request. */
const NEW = 'new'

/** The maintenance requests of a site. */
export function RequestsPage() {
  const { site } = useSite()
  return site.maintenanceRequests ? <Requests /> : <RequestsOff />
}

function Requests() {
  const { may, orgId, siteId } = useSite()
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  const isWide = useIsWide()

  const change = (changes: Partial<RequestFilters>) =>
    setParams((before) => writeFilters({ ...readFilters(before), ...changes }), { replace: true })
  const showForm = (shown: boolean) =>
    setParams(
      (before) => {
        const next = writeFilters(readFilters(before))
        if (shown) next.set(NEW, '')
        return next
      },
      { replace: !shown },
    )

  return (
    <>
      <PageHead
        title={requests.title}
        actions={
          <Group gap="xs" className={classes.screenOnly}>
            <Button component="a" variant="default" href={csvAddress({ orgId, propertyId: siteId }, filters)} download>
              {requests.csv}
            </Button>
            {isWide && (
              <Button variant="default" onClick={() => window.print()}>
                {requests.print}
              </Button>
            )}
            {may('manager') && <Button onClick={() => showForm(true)}>{requests.newRequest}</Button>}
          </Group>
        }
      />
      <ViewTabs filters={filters} />
      <RequestFilterBar filters={filters} onChange={change} isWide={isWide} />
      <RequestList
        key={String(writeFilters({ ...filters, sort: undefined, order: undefined }))}
        filters={filters}
        isWide={isWide}
        onChange={change}
      />
      {may('manager') && <NewRequestDialog opened={params.has(NEW)} onClose={() => showForm(false)} />}
    </>
  )
}

/** The matching requests, their number, and a button for more. */
function RequestList({
  filters,
  isWide,
  onChange,
}: {
  filters: RequestFilters
  isWide: boolean
  onChange: (changes: Partial<RequestFilters>) => void
}) {
  const { may } = useSite()
  const found = useRequests(filters)
  const counts = useRequestCounts(filters)
  const { data: tickets, error, refetch } = found
  const [selection, setSelection] = useState<Selection>(NONE)
  const filtered = isFiltered(filters)
  const list = useRef<HTMLDivElement>(null)
  const toggle = useCallback((number: number) => setSelection((before) => toggled(before, number)), [])
  const shown = tickets?.map(({ number }) => number) ?? []
  const onToggleAll = () => setSelection((before) => toggledAll(before, shown))
  const choosing = may('manager') ? { selection, onToggle: toggle, onToggleAll } : undefined
  const total = counts.isPlaceholderData ? undefined : counts.data?.total
  useListKeys(list, choosing && toggle)

  if (!tickets) return error ? <ErrorNotice error={error} retry={refetch} /> : <Loading />
  return (
    <Stack gap="sm">
      <ListHead filters={filters} counts={counts.data} total={total} onChange={onChange} />
      {choosing && (
        <BulkBar selection={selection} onSelect={setSelection} shown={shown} count={total} filters={filters} />
      )}
      {error && !found.isFetchNextPageError && <ErrorNotice error={error} retry={refetch} />}
      {tickets.length === 0 && (filtered ? <NoneMatch /> : <NoneAtAll />)}
      {tickets.length > 0 && (
        <div
          ref={list}
          className={found.isPlaceholderData ? classes.stale : undefined}
          aria-busy={found.isPlaceholderData}
        >
          {isWide ? (
            <RequestTable
              tickets={tickets}
              filters={filters}
              onSort={(column) => onChange(sortedBy(filters, column))}
              choosing={choosing}
            />
          ) : (
            <RequestCards tickets={tickets} choosing={choosing} />
          )}
        </div>
      )}
      {error && found.isFetchNextPageError && <ErrorNotice error={error} />}
      {found.hasNextPage && !found.isPlaceholderData && (
        <Group justify="center" gap="sm" className={classes.screenOnly}>
          <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
            {common.more}
          </Button>
          {total !== undefined && (
            <Text size="sm">{format(requests.shownOf, { shown: tickets.length, count: total })}</Text>
          )}
        </Group>
      )}
    </Stack>
  )
}

const NONE: Selection = new Set()

/** How many requests match, and how many in each state. */
function ListHead({
  filters,
  counts,
  total,
  onChange,
}: {
  filters: RequestFilters
  counts: { byState: Readonly<Record<string, number>> } | undefined
  total: number | undefined
  onChange: (changes: Partial<RequestFilters>) => void
}) {
  const filtered = isFiltered(filters)
  const inUse = TICKET_STATES.filter((state) => (counts?.byState[state] ?? 0) > 0 || filters.states.includes(state))
  const toggleState = (state: TicketState) =>
    filters.states.includes(state) ? filters.states.filter((each) => each !== state) : [...filters.states, state]
  return (
    <Group gap="sm" mih={30}>
      <Text size="sm" role="status">
        {total !== undefined && format(filtered ? requests.totalMatching : requests.total, { count: total })}
      </Text>
      <Group gap={6} role="group" aria-label={requests.byState} className={classes.screenOnly}>
        {inUse.map((state) => (
          <Button
            key={state}
            size="compact-xs"
            variant={filters.states.includes(state) ? 'filled' : 'default'}
            aria-pressed={filters.states.includes(state)}
            onClick={() => onChange({ states: toggleState(state) })}
          >
            {format(requests.stateWithCount, { state: states[state], count: counts?.byState[state] ?? 0 })}
          </Button>
        ))}
      </Group>
      {filtered && (
        <Button
          size="compact-sm"
          variant="default"
          className={classes.screenOnly}
          onClick={() => onChange({ ...NO_FILTERS })}
        >
          {requests.clearFilters}
        </Button>
      )}
      {total !== 0 && (
        <Text size="xs" c="dimmed" visibleFrom="lg" className={classes.screenOnly}>
          {requests.keysHint}
        </Text>
      )}
    </Group>
  )
}

function NoneMatch() {
  return <Empty title={requests.noneMatch}>{requests.noneMatchHint}</Empty>
}

function NoneAtAll() {
  const { may, path } = useSite()
  return (
    <Empty title={requests.noneAtAll}>
      {may('manager') ? (
        <RichText
          message={requests.noneAtAllManager}
          values={{
            importExport: (
              <Link to={path('/settings/packages')} underline="always">
                {requests.importExport}
              </Link>
            ),
          }}
        />
      ) : (
        requests.noneAtAllViewer
      )}
    </Empty>
  )
}
