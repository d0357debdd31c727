import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './service.ts'

const METHODS = ['sign-in-methods']

/** Loads the name of the provider that people can sign in with; none without one. */
export function useProviderName(): string | undefined {
  const query = useQuery({
    queryKey: ['providers'],
    queryFn: async () => (await api.listProviders()).providers,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return query.data?.[0]?.name
}

/** Loads how the signed-in person can sign in. */
export function useSignInMethods() {
  return useQuery({ queryKey: METHODS, queryFn: () => api.listSignInMethods() })
}

/** The address that signs in through the provider and then shows this page. */
export const providerAddress = (returnTo: string) => `/api/session/oidc?${new URLSearchParams({ returnTo })}`

/** Goes to the provider, which sends the browser back. */
export function useGoToProvider(start: () => Promise<{ url: string }>) {
  return useMutation({
    mutationFn: start,
    meta: { signsIn: true },
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

export function useUnlinkProvider() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.unlinkProvider(),
    onSuccess: () => client.invalidateQueries({ queryKey: METHODS }),
  })
}
