import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice, Loading } from './notices.tsx'

/** What a query is at: loading, failed, or what it found. What was found before stays while it is asked for again. */
export function QueryView<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data, Error>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorNotice error={query.error} retry={query.refetch} />
  return <Loading />
}
