import { useDebouncedValue } from '@mantine/hooks'
import type { SignedIn } from '@plantroom/contract/roles'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { operation } from '../../api/use-operation.ts'
import { type Entry, foundEntries, isSearchable, matchingEntries, siteEntries } from './entries.ts'

/** A pause in typing, after which the service is asked. */
const PAUSE_MS = 200

/** What the palette offers for a text: what the page knows, and what the service finds in every organization. */
export function usePaletteEntries(
  text: string,
  { signedIn, siteId, own }: { signedIn: SignedIn; siteId: string | undefined; own: readonly Entry[] },
) {
  const [asked] = useDebouncedValue(text.trim().slice(0, 100), PAUSE_MS)
  const organizations = signedIn.organizations.filter(({ sites }) => sites.length > 0)
  const queries = useQueries({
    queries: organizations.map(({ id: orgId }) => ({
      ...operation('search', { orgId, query: { q: asked, siteId } }),
      enabled: isSearchable(asked),
      staleTime: 30_000,
      placeholderData: keepPreviousData,
    })),
  })
  const found = isSearchable(text)
    ? queries.flatMap(({ data }, index) => (data ? foundEntries(organizations[index]?.id ?? '', data) : []))
    : []
  return {
    groups: matchingEntries([...found, ...own, ...siteEntries(signedIn)], text),
    isSearching:
      isSearchable(text) && (asked !== text.trim().slice(0, 100) || queries.some(({ isFetching }) => isFetching)),
    error: queries.find(({ error }) => error)?.error ?? undefined,
  }
}
