import { OPERATIONS } from '@plantroom/client/operations'

/** The part of a path up to the resource that an operation is about: `/api/orgs/:orgId/devices`. */
const RESOURCE = /^\/api\/(?:orgs\/:orgId\/(?:properties\/:propertyId\/(?:ticket-packages\/)?)?|(?!orgs))[^/:]+/

type Input = Readonly<Record<string, unknown>>

const operations: Readonly<Record<string, readonly [method: string, path: string]>> = OPERATIONS

/**
 * Reports whether a stored reply may have changed: it is about the same resource as an operation, and of the same item
 * where both name one. A change of the organization itself affects no list in it.
 */
export function isAffected(by: string, input: Input, reply: readonly unknown[]): boolean {
  const [name, asked = {}] = reply as [string, Input?]
  const resource = RESOURCE.exec(operations[by]?.[1] ?? '')?.[0]
  const [method, path = ''] = operations[name] ?? []
  if (resource === undefined || method !== 'GET' || !`${path}/`.startsWith(`${resource}/`)) return false
  return [...path.matchAll(/:(\w+)/g)].every(
    ([, id = '']) => input[id] === undefined || String(asked[id]) === String(input[id]),
  )
}
