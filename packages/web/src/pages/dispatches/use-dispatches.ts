import { pathOf } from '@plantroom/client/client'
import type { FleetDispatch, Outcome } from '@plantroom/contract/fleet'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pagesOf, usePages } from '../../api/use-pages.ts'
import { useEventStream } from '../../live/event-stream.ts'
import { isMoving } from './describe-dispatch.ts'

const PAGE = 20
const TARGETS = 100
const LIST_MS = 10_000
const OUTCOMES_MS = 3000

/** Loads the dispatches of an organization, newest first, page by page. */
export function useDispatches(orgId: string) {
  return usePages('listDispatches', { orgId, query: { limit: PAGE } }, ({ dispatches }) => dispatches, {
    refetchInterval: LIST_MS,
  })
}

type Progress = Pick<FleetDispatch, 'state' | 'counts' | 'releasing'>

/** Loads a dispatch with the outcomes of its datapoints, and follows it until nothing changes any more. */
export function useDispatch(orgId: string, dispatchId: string, outcome: Outcome | undefined) {
  const [progress, setProgress] = useState<Progress>()
  const query = useInfiniteQuery({
    ...pagesOf('getDispatch', { orgId, dispatchId, query: { outcome, limit: TARGETS } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const loaded = state.data?.pages[0]
      return !loaded || isMoving(loaded) ? OUTCOMES_MS : false
    },
  })
  const loaded = query.data?.pages[0]
  const take = (data: unknown) => setProgress(data as Progress)
  const path = loaded?.state === 'running' ? pathOf('followDispatch', { orgId, dispatchId }) : undefined
  useEventStream(path, {
    progress: take,
    ended(data) {
      take(data)
      return 'end'
    },
  })
  // Events are newer than the list while it runs; after its end only the list goes on.
  const isLive = loaded?.state === 'running' && progress !== undefined
  return {
    query,
    dispatch: loaded && { ...loaded, ...(isLive && progress) },
    outcomes: query.data?.pages.flatMap(({ outcomes }) => outcomes) ?? [],
  }
}
