import { Button, Group, Stack, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useSite } from '../../api/use-site.ts'
import { useIsWide } from '../../parts/card-table.tsx'
import { Link, RichText } from '../../parts/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { requests } from '../../texts/requests.ts'
import { NewRequestDialog } from './new-request-dialog.tsx'
import { RequestFilterBar } from './request-filter-bar.tsx'
import { isFiltered, type RequestFilters, readFilters, writeFilters } from './request-filters.ts'
import { RequestsOff } from './request-parts.tsx'
import { RequestCards, RequestTable } from './request-rows.tsx'
import classes from './requests.module.css'
import { useRequestCount, useRequests } from './use-requests.ts'

/** The parameter of the address that opens the form of a new request. */
const NEW = 'new'

/** The maintenance requests of a site. */
export function RequestsPage() {
  const { site } = useSite()
  return site.maintenanceRequests ? <Requests /> : <RequestsOff />
}

function Requests() {
  const { may } = useSite()
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
        actions={may('manager') && <Button onClick={() => showForm(true)}>{requests.newRequest}</Button>}
      />
      <RequestFilterBar filters={filters} onChange={change} isWide={isWide} />
      <RequestList filters={filters} isWide={isWide} onClear={() => setParams(new URLSearchParams())} />
      {may('manager') && <NewRequestDialog opened={params.has(NEW)} onClose={() => showForm(false)} />}
    </>
  )
}

/** The matching requests, their number, and a button for more. */
function RequestList({ filters, isWide, onClear }: { filters: RequestFilters; isWide: boolean; onClear: () => void }) {
  const found = useRequests(filters)
  const count = useRequestCount(filters)
  const { data, error, refetch } = found
  const tickets = data?.pages.flatMap((page) => page.tickets) ?? []
  const filtered = isFiltered(filters)

  if (!data) return error ? <ErrorNotice error={error} retry={refetch} /> : <Loading />
  return (
    <Stack gap="sm">
      <Group gap="sm" mih={30}>
        <Text size="sm" role="status">
          {count.data !== undefined &&
            !found.isPlaceholderData &&
            (filtered
              ? format(requests.totalMatching, { count: count.data })
              : format(requests.total, { count: count.data }))}
        </Text>
        {filtered && (
          <Button size="compact-sm" variant="default" onClick={onClear}>
            {requests.clearFilters}
          </Button>
        )}
      </Group>
      {error && !found.isFetchNextPageError && <ErrorNotice error={error} retry={refetch} />}
      {tickets.length === 0 && (filtered ? <NoneMatch /> : <NoneAtAll />)}
      {tickets.length > 0 && (
        <div className={found.isPlaceholderData ? classes.stale : undefined} aria-busy={found.isPlaceholderData}>
          {isWide ? <RequestTable tickets={tickets} /> : <RequestCards tickets={tickets} />}
        </div>
      )}
      {error && found.isFetchNextPageError && <ErrorNotice error={error} />}
      {found.hasNextPage && !found.isPlaceholderData && (
        <Group justify="center" gap="sm">
          <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
            {common.more}
          </Button>
          {count.data !== undefined && (
            <Text size="sm">{format(requests.shownOf, { shown: tickets.length, count: count.data })}</Text>
          )}
        </Group>
      )}
    </Stack>
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
