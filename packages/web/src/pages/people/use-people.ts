import { createPeopleClient } from '@plantroom/client/people'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send, ticketsOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'

function useClients() {
  const { orgId, siteId } = useSite()
  const people = createPeopleClient(send, { orgId, propertyId: siteId })
  return { orgId, siteId, people, tickets: ticketsOf(orgId, siteId) }
}

export function useUnits() {
  const { orgId, siteId, people } = useClients()
  return useQuery({ queryKey: ['units', orgId, siteId, 'every'], queryFn: () => people.units() })
}

export function usePeople() {
  const { orgId, siteId, people } = useClients()
  return useQuery({ queryKey: ['people', orgId, siteId, 'every'], queryFn: () => people.people() })
}

type Clients = Pick<ReturnType<typeof useClients>, 'people' | 'tickets'>

/** Changes a list, and refreshes the requests that show its names. */
export function useListChange<Variables, Result>(
  list: 'units' | 'people',
  change: (clients: Clients, variables: Variables) => Promise<Result>,
  onDone: (result: Result, variables: Variables) => void,
) {
  const { orgId, siteId, ...clients } = useClients()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (variables: Variables) => change(clients, variables),
    async onSuccess(result, variables) {
      void client.invalidateQueries({ queryKey: ['tickets', orgId, siteId] })
      await client.invalidateQueries({ queryKey: [list, orgId, siteId] })
      onDone(result, variables)
    },
  })
}
