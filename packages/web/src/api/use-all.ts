import type { OperationInput, OperationName, OperationReply } from '@plantroom/client/client'
import { collectItems } from '@plantroom/client/pages'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { call, type PageInput, useCompletion } from './use-operation.ts'

/** An operation that lists items page by page. */
export type ListName = {
  [Name in OperationName]: OperationReply<Name> extends { nextCursor: string | null } ? Name : never
}[OperationName]

/** One page of a list. */
export type PageOf<Name extends ListName> = OperationReply<Name> & { nextCursor: string | null }

/** Calls an operation for the page at a cursor; the first page has none. */
export function callPage<Name extends ListName>(
  name: Name,
  input: OperationInput<Name>,
  cursor: string | undefined,
): Promise<PageOf<Name>> {
  const { query } = input as { query?: object }
  return call(name, { ...input, query: { ...query, cursor } }) as Promise<PageOf<Name>>
}

/** Loads all pages of a list as one, up to the page that reaches `most` items. */
export function useAll<Name extends ListName, Item, Data = Item[]>(
  name: Name,
  input: PageInput<Name>,
  itemsOf: (page: OperationReply<Name>) => readonly Item[],
  {
    most,
    ...options
  }: Omit<UseQueryOptions<Item[], Error, Data, unknown[]>, 'queryKey' | 'queryFn'> & { most?: number } = {},
) {
  const completed = useCompletion()(name, input)
  return useQuery({
    queryKey: [name, completed, 'all', most],
    queryFn: () => collectItems((cursor) => callPage(name, completed, cursor), itemsOf, most),
    ...options,
  })
}
