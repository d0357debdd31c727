import type { OperationInput, OperationName, OperationReply } from '@plantroom/client/client'
import { OPERATIONS } from '@plantroom/client/operations'
import {
  queryOptions,
  type UseMutationOptions,
  type UseQueryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useContext } from 'react'
import { isAffected } from './affected.ts'
import { queries } from './queries.ts'
import { api } from './service.ts'
import { PlaceContext } from './use-site.ts'

type FromPage = 'orgId' | 'siteId' | 'propertyId'

/** The input of an operation. The organization and the site are those of the page unless given. */
export type PageInput<Name extends OperationName> = Omit<OperationInput<Name>, FromPage> &
  Partial<Record<FromPage, string>>

/** Calls an operation by its name. */
export const call = <Name extends OperationName>(name: Name, input: OperationInput<Name>) =>
  (api[name] as (input: object) => Promise<OperationReply<Name>>)(input)

/** The query of an operation, for `useQueries` and outside a site page. */
export function operation<Name extends OperationName>(name: Name, input: OperationInput<Name>) {
  return queryOptions({ queryKey: [name, input], queryFn: () => call(name, input) })
}

/** Loads the reply of an operation; `select` takes a part of it. */
export function useOperation<Name extends OperationName, Data = OperationReply<Name>>(
  name: Name,
  input: PageInput<Name>,
  options?: Omit<UseQueryOptions<OperationReply<Name>, Error, Data, unknown[]>, 'queryKey' | 'queryFn'>,
) {
  const completed = useCompletion()(name, input)
  return useQuery({ queryKey: [name, completed], queryFn: () => call(name, completed), ...options })
}

/**
 * Runs an operation that changes something. What is shown of the same resource is loaded again, also after a failure:
 * the change may have been made without an answer.
 */
export function useChange<Name extends OperationName>(
  name: Name,
  {
    onFresh,
    ...options
  }: Omit<UseMutationOptions<OperationReply<Name>, Error, PageInput<Name>>, 'mutationFn' | 'onSettled'> & {
    /** Called after a success, once the page shows its result. */
    onFresh?: (reply: OperationReply<Name>) => unknown
  } = {},
) {
  const complete = useCompletion()
  const mutation = useMutation<OperationReply<Name>, Error, PageInput<Name>>({
    ...options,
    mutationFn: (input) => call(name, complete(name, input)),
    async onSettled(reply, error, input) {
      const refreshed = invalidate(name, complete(name, input))
      // The person learns of a failure at once, also when nothing can be loaded either.
      if (error) return
      await refreshed
      await onFresh?.(reply as OperationReply<Name>)
    },
  })
  return { ...mutation, operation: name }
}

/** Loads again what is shown of the resource that an operation reads or changes: of one item, or of all. */
export async function invalidate<Name extends OperationName>(
  name: Name,
  input: Partial<PageInput<Name>> = {},
): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ queryKey }) => isAffected(name, input, queryKey) })
}

/** Stores a reply that came with a change, so that the page shows it at once. */
export function remember<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  reply: OperationReply<Name>,
): void {
  queries.setQueryData<unknown>([name, input], reply)
}

/** Returns a function that adds the organization and the site of the page to an input. */
export function useCompletion() {
  const page = useContext(PlaceContext)
  return <Name extends OperationName>(name: Name, input: PageInput<Name>): OperationInput<Name> => {
    const own = { orgId: page?.organization.id, siteId: page?.site?.id, propertyId: page?.site?.id }
    const completed: Record<string, unknown> = { ...input }
    for (const [parameter, id] of Object.entries(own)) {
      if (!OPERATIONS[name][1].includes(`:${parameter}`)) continue
      completed[parameter] ??= id
      if (completed[parameter] === undefined) throw new Error(`${name} needs ${parameter}: pass it outside a site page`)
    }
    return completed as OperationInput<Name>
  }
}
