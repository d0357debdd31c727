import { useMutation } from '@tanstack/react-query'
import { useOperation } from './use-operation.ts'

/** Loads the name of the provider that people can sign in with; none without one. */
export function useProviderName(): string | undefined {
  return useOperation('listProviders', {}, { staleTime: Number.POSITIVE_INFINITY }).data?.providers[0]?.name
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
