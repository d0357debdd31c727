import { pages } from '@plantroom/client/history'
import { useQuery } from '@tanstack/react-query'
import { ticketsOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'

/** More than anybody reads through: what comes after is found by its requests. */
const MOST_NAMES = 10_000

/** The people of the site, by address. */
export function usePeople() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['people', orgId, siteId, 'names'],
    queryFn: () =>
      collect(
        (cursor) => ticketsOf(orgId, siteId).people(cursor),
        ({ people }) => people,
      ),
    staleTime: 60_000,
  })
}

/** The names of the units of the site. */
export function useUnitNames() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['units', orgId, siteId, 'names'],
    queryFn: () =>
      collect(
        (cursor) => ticketsOf(orgId, siteId).units(cursor),
        ({ units }) => units.map(({ name }) => name),
      ),
    staleTime: 60_000,
  })
}

/** The names of the tags of the site. */
export function useTagNames() {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: ['tags', orgId, siteId, 'names'],
    queryFn: () =>
      collect(
        (cursor) => ticketsOf(orgId, siteId).tags(cursor),
        ({ tags }) => tags.map(({ name }) => name),
      ),
    staleTime: 60_000,
  })
}

async function collect<Page extends { nextCursor: string | null }, Item>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const found: Item[] = []
  for await (const page of pages(fetchPage)) {
    found.push(...itemsOf(page))
    if (found.length >= MOST_NAMES) break
  }
  return found
}
