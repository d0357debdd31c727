import { ApiError } from '@plantroom/client/http'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

const RETRIES = 5

/** Whoever was signed in is not any more: the page asks for a password, and stays where it is. */
function noticeSignedOut(error: Error): void {
  if (error instanceof ApiError && error.status === 401) {
    void queries.invalidateQueries({ queryKey: ['session'] })
  }
}

/** A request that the service judged is not sent again; one that nobody answered is: the cloud may be starting anew. */
function isUnanswered(error: Error): boolean {
  return !(error instanceof ApiError && error.status < 500)
}

/** What nobody answered is asked for again after that, for as long as the page is open: it comes back by itself. */
const UNANSWERED_MS = 5000

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES && isUnanswered(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5000),
      staleTime: 5000,
      refetchInterval: ({ state: { error } }) => (error && isUnanswered(error) ? UNANSWERED_MS : false),
    },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({
    onError: (error, query) => query.queryKey[0] === 'session' || noticeSignedOut(error),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => mutation.meta?.signsIn === true || noticeSignedOut(error),
  }),
})
