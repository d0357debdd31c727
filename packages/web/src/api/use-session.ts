import { ApiError } from '@plantroom/client/http'
import type { SignedIn } from '@plantroom/contract/roles'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './service.ts'

const KEY = ['session'] as const

/** Loads the signed-in person; `null` when nobody is. */
export function useSession() {
  return useQuery({
    queryKey: KEY,
    queryFn: () =>
      api.getSession().catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null
        throw error
      }),
    staleTime: 60_000,
  })
}

/** Updates the session in place: observers would miss a query that replaces it. Clears all other data. */
function setSession(client: QueryClient, signedIn: SignedIn | null): void {
  client.setQueryData(KEY, signedIn)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] })
}

/** Runs a request that signs someone in, and clears the data of anyone before. */
export function useSignIn<Variables>(signIn: (variables: Variables) => Promise<SignedIn>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signIn,
    meta: { signsIn: true },
    onSuccess: (signedIn) => setSession(client, signedIn),
  })
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.signOut(),
    onSuccess: () => setSession(client, null),
  })
}
