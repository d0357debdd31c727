import { ApiError } from '@plantroom/client/http'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

const RETRIES = 5

/**
 * Shows the sign-in form, at the same address, once the session has ended, and the account page once the organization
 * requires a second factor.
 */
function checkSignedOut(error: Error): void {
  if (error instanceof ApiError && (error.status === 401 || error.code === 'SECOND_FACTOR_REQUIRED')) {
    void queries.invalidateQueries({ queryKey: ['getSession'] })
  }
}

/** Reports whether a request got no verdict: the cloud may be restarting, so it is worth a retry. */
function isUnanswered(error: Error): boolean {
  return !(error instanceof ApiError && error.status < 500)
}

/** Unanswered queries are retried while the page is open, so that it recovers automatically. */
const RETRY_MS = 5000

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < RETRIES && isUnanswered(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5000),
      staleTime: 5000,
      refetchInterval: ({ state: { error } }) => (error && isUnanswered(error) ? RETRY_MS : false),
    },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({
    onError: (error, query) => query.queryKey[0] === 'getSession' || checkSignedOut(error),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => mutation.meta?.signsIn === true || checkSignedOut(error),
  }),
})
