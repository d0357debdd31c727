import type { OperationInput, OperationReply } from '@plantroom/client/client'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { callPage, type ListName, type PageOf } from './use-all.ts'
import { type PageInput, useCompletion } from './use-operation.ts'

type Cursor = string | undefined

/** The query of a list that is loaded page by page. */
export function pagesOf<Name extends ListName>(name: Name, input: OperationInput<Name>) {
  return infiniteQueryOptions({
    queryKey: [name, input, 'pages'] as unknown[],
    // A list that was kept as JSON has `null` for its first page.
    queryFn: ({ pageParam }) => callPage(name, input, pageParam ?? undefined),
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
}

/** Loads a list page by page. The data are the items of all loaded pages. */
export function usePages<Name extends ListName, Item>(
  name: Name,
  input: PageInput<Name>,
  itemsOf: (page: OperationReply<Name>) => readonly Item[],
  options?: Omit<
    UseInfiniteQueryOptions<PageOf<Name>, Error, Item[], unknown[], Cursor>,
    'queryKey' | 'queryFn' | 'initialPageParam' | 'getNextPageParam' | 'select'
  >,
) {
  const completed = useCompletion()(name, input)
  return useInfiniteQuery({
    ...pagesOf(name, completed),
    select: ({ pages }: InfiniteData<PageOf<Name>, Cursor>) => pages.flatMap(itemsOf),
    ...options,
  })
}
