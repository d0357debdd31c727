import { Button, Stack } from '@mantine/core'
import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { QueryView } from './notices.tsx'

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>

/** A list: loading, failed, empty, or its items with a button for more. */
export function ListView<Item>({
  query,
  empty,
  children,
}: {
  query: UseQueryResult<readonly Item[], Error> | UseInfiniteQueryResult<readonly Item[], Error>
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}) {
  return (
    <Stack>
      <QueryView query={query as UseQueryResult<readonly Item[], Error>}>
        {(items) => (items.length === 0 ? empty : children(items))}
      </QueryView>
      {'hasNextPage' in query && <More query={query} />}
    </Stack>
  )
}

/** A button that loads the next page of a list, while there is one. */
export function More({ query: { hasNextPage, fetchNextPage, isFetchingNextPage } }: { query: Pages }) {
  if (!hasNextPage) return null
  return (
    <Button variant="default" mx="auto" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
      {common.more}
    </Button>
  )
}
