import { Button, Group, Stack, Text } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { serviceTimeOf } from '../service-clock.ts'
import { format } from '../texts/format.ts'
import { isFiltered } from './address-filters.ts'
import { More } from './list-view.tsx'
import { Empty, ErrorNotice, Loading } from './notices.tsx'
import { PageHead } from './page-head.tsx'
import { clockTime } from './time.ts'

type Texts = Readonly<
  Record<
    | 'title'
    | 'about'
    | 'refresh'
    | 'shown'
    | 'shownOfMore'
    | 'updatedAt'
    | 'clearFilters'
    | 'noneMatch'
    | 'noneMatchHint'
    | 'noneAtAll'
    | 'noneAtAllHint',
    string
  >
>

interface ListProps<Item> {
  texts: Texts
  timeZone: string
  query: UseInfiniteQueryResult<Item[], Error>
  /** In the address. */
  filters: object
  onClear: () => void
  /** Shown above the items. */
  notice?: ReactNode
  /** Shown below the items. */
  end?: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/** A page that lists what matches its filters, the newest first. */
export function ListPage<Item>({
  actions,
  bar,
  ...list
}: ListProps<Item> & {
  actions: ReactNode
  /** The fields of the filters. */
  bar: ReactNode
}) {
  const { texts, query } = list
  // Only for the button: an automatic refresh needs no indicator.
  const [isRefreshing, setIsRefreshing] = useState(false)
  async function refresh() {
    setIsRefreshing(true)
    await query.refetch()
    setIsRefreshing(false)
  }
  return (
    <>
      <PageHead
        title={texts.title}
        actions={
          <>
            <Button variant="default" onClick={() => void refresh()} loading={isRefreshing}>
              {texts.refresh}
            </Button>
            {actions}
          </>
        }
      >
        {texts.about}
      </PageHead>
      {bar}
      <Items {...list} />
    </>
  )
}

function Items<Item>({ texts, timeZone, query, filters, onClear, notice, end, children }: ListProps<Item>) {
  const { data, error, refetch, isPlaceholderData, isFetchNextPageError, hasNextPage } = query
  if (!data) return error ? <ErrorNotice error={error} retry={refetch} /> : <Loading />
  const hasFilters = isFiltered(filters)
  return (
    <Stack gap="sm">
      <Group gap="sm" mih={30}>
        <Text size="sm" role="status">
          {data.length > 0 &&
            !isPlaceholderData &&
            format(hasNextPage ? texts.shownOfMore : texts.shown, { count: data.length })}
        </Text>
        <Text size="sm" className="figures">
          {format(texts.updatedAt, { time: clockTime(serviceTimeOf(query.dataUpdatedAt), timeZone) })}
        </Text>
        {hasFilters && (
          <Button size="compact-sm" variant="default" onClick={onClear}>
            {texts.clearFilters}
          </Button>
        )}
      </Group>
      {error && !isFetchNextPageError && <ErrorNotice error={error} retry={refetch} />}
      {notice}
      {data.length === 0 ? (
        <Empty title={hasFilters ? texts.noneMatch : texts.noneAtAll}>
          {hasFilters ? texts.noneMatchHint : texts.noneAtAllHint}
        </Empty>
      ) : (
        <div style={isPlaceholderData ? { opacity: 0.6 } : undefined} aria-busy={isPlaceholderData}>
          {children(data)}
        </div>
      )}
      {error && isFetchNextPageError && <ErrorNotice error={error} />}
      {!isPlaceholderData && <More query={query} />}
      {end}
    </Stack>
  )
}
