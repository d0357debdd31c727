import type { Client, OperationInput } from './client.ts'

type Filters = Omit<NonNullable<OperationInput<'listRequests'>['query']>, 'limit' | 'cursor' | 'total'>

/** Counts the maintenance requests of a site that match the filters. */
export async function countRequests(
  client: Pick<Client, 'listRequests'>,
  { orgId, propertyId, query }: { orgId: string; propertyId: string; query?: Filters },
): Promise<number> {
  const { total } = await client.listRequests({ orgId, propertyId, query: { ...query, limit: 1, total: 'true' } })
  if (total === undefined) throw new Error('the service returned no count of requests: update the service')
  return total
}
