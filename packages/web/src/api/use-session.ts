import { ApiError } from '@plantroom/client/http'
import type { SignedIn } from '@plantroom/contract/roles'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { session } from './service.ts'

const KEY = ['session'] as const

/** Who is signed in; `null`: nobody. */
export function useSession() {
  return useQuery({
    queryKey: KEY,
    queryFn: () =>
      session.whoAmI().catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null
        throw error
      }),
    staleTime: 60_000,
  })
}

/** The session itself stays in place, changed: whoever watches it would not hear of one that took its place. */
function beSignedInAs(client: QueryClient, signedIn: SignedIn | null): void {
  client.setQueryData(KEY, signedIn)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] })
}

/** For all that signs someone in: the answer is who it is, and nothing of somebody else's stays in memory. */
export function useSignIn<Variables>(signIn: (variables: Variables) => ReturnType<typeof session.signIn>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signIn,
    meta: { signsIn: true },
    onSuccess: (signedIn) => beSignedInAs(client, signedIn),
  })
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => session.signOut(),
    onSuccess: () => beSignedInAs(client, null),
  })
}
