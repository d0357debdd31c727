import { ApiError } from '@plantroom/client/http'
import type { SecondFactorNeeded, SignInAnswer } from '@plantroom/contract/api'
import type { SignedIn } from '@plantroom/contract/roles'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './service.ts'

const KEY = ['getSession', {}] as const

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

/**
 * Runs a request that signs someone in, and clears the data of anyone before. When a second factor is missing, nobody is
 * signed in yet.
 */
export function useSignIn<Variables>(signIn: (variables: Variables) => Promise<SignInAnswer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signIn,
    meta: { signsIn: true },
    onSuccess: (answer) => {
      if ('user' in answer) setSession(client, answer)
    },
  })
}

/** Returns what is missing to sign in; `undefined` when nothing is. */
export function secondFactorOf(answer: SignInAnswer | undefined): SecondFactorNeeded['secondFactor'] | undefined {
  return answer && 'secondFactor' in answer ? answer.secondFactor : undefined
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.signOut(),
    onSuccess: () => setSession(client, null),
  })
}
