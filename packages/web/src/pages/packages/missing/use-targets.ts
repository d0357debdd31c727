import { collectItems } from '@plantroom/client/pages'
import type { MissingKind } from '@plantroom/contract/jobs'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/service.ts'
import { useSite } from '../../../api/use-site.ts'

interface Target {
  value: string
  label: string
}

const OPERATIONS = { people: 'listPeople', units: 'listUnits', tags: 'listTags' } as const

/** Loads what names of a kind can be replaced with, once somebody wants to. */
export function useTargets(kind: MissingKind, isWanted: boolean) {
  const { orgId, siteId } = useSite()
  return useQuery({
    queryKey: [OPERATIONS[kind], { orgId, propertyId: siteId }, 'targets'],
    enabled: isWanted,
    queryFn: () => loadTargets(kind, { orgId, propertyId: siteId }),
  })
}

async function loadTargets(kind: MissingKind, site: { orgId: string; propertyId: string }): Promise<Target[]> {
  if (kind === 'people') {
    const people = await collectItems(
      (cursor) => api.listPeople({ ...site, query: { cursor } }),
      (page) => page.people,
    )
    return people.map(({ id, email, name }) => ({ value: id, label: name ? `${name} · ${email}` : email }))
  }
  const named =
    kind === 'units'
      ? await collectItems(
          (cursor) => api.listUnits({ ...site, query: { cursor } }),
          ({ units }) => units,
        )
      : await collectItems(
          (cursor) => api.listTags({ ...site, query: { cursor } }),
          ({ tags }) => tags,
        )
  return named.map(({ id, name }) => ({ value: id, label: name }))
}
