import { Button, Group, Stack, Text } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { Empty, ErrorNotice, Loading } from '../../parts/notices.tsx'
import { common } from '../../texts/common.ts'
import { requests } from '../../texts/requests.ts'
import { RequestCards } from './request-cards.tsx'
import { isFiltered, type RequestFilters } from './request-filters.ts'
import { RequestTable } from './request-table.tsx'
import classes from './requests.module.css'
import { useRequestCount, useRequests } from './use-requests.ts'

/** The requests that match, how many there are in all, and the way to the rest. */
export function RequestList({
  filters,
  roomy,
  onClear,
}: {
  filters: RequestFilters
  roomy: boolean
  onClear: () => void
}) {
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
            (filtered ? requests.totalMatching(count.data) : requests.total(count.data))}
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
          {roomy ? <RequestTable tickets={tickets} /> : <RequestCards tickets={tickets} />}
        </div>
      )}
      {error && found.isFetchNextPageError && <ErrorNotice error={error} />}
      {found.hasNextPage && !found.isPlaceholderData && (
        <Group justify="center" gap="sm">
          <Button variant="default" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
            {common.more}
          </Button>
          {count.data !== undefined && <Text size="sm">{requests.shownOf(tickets.length, count.data)}</Text>}
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
        <>
          {requests.noneAtAllManager}{' '}
          <Link to={path('/settings/packages')} underline="always">
            {requests.importExport}
          </Link>
          .
        </>
      ) : (
        requests.noneAtAllViewer
      )}
    </Empty>
  )
}
