import { useOperation } from './use-operation.ts'
import { useOrganization } from './use-site.ts'

/** The sites of the organization with their tags. Until these are loaded, the sites of the session. */
export function useTaggedSites(): readonly { id: string; name: string; tags: readonly string[] }[] {
  const { organization } = useOrganization()
  const { data } = useOperation('listSites', {}, { select: ({ sites }) => sites })
  return data ?? organization.sites.map(({ id, name }) => ({ id, name, tags: [] }))
}
