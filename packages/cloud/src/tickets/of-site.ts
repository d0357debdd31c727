import { STORABLE } from '../db/patterns.ts'

/** What the maintenance requests of a site stand below. */
export const OF_SITE = '/api/orgs/:orgId/properties/:propertyId'

/** In the description of the API. */
export const TAGS = ['Maintenance requests']

const allowed = <const Allowed, const Least>(permission: Allowed, role: Least) =>
  ({ access: { by: 'key-or-operator', permission, role, needs: 'maintenance-requests' } }) as const

export const READS = allowed(['ticket:read', 'ticket:read_write'], 'viewer')
export const WRITES = allowed('ticket:read_write', 'manager')

export interface OfSite {
  orgId: string
  propertyId: string
}

/** The parameters of a path, of which `ids` are looked up as they come. */
export function pathParams(ids: readonly string[], others: readonly string[] = []) {
  const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const
  const text = { type: 'string' } as const
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(['orgId', 'propertyId', ...others].map((name) => [name, text])),
      ...Object.fromEntries(ids.map((name) => [name, id])),
    },
  } as const
}

const MAX_LIMIT = 1000

/** The part of a query that asks for a page. */
export function paging(cursor: object, defaultLimit: number) {
  return {
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: defaultLimit },
    cursor: { type: 'string', ...cursor, description: 'The nextCursor of the page before' },
  } as const
}

/** A page as it is answered. */
export function pageOf(name: string, items: object, more: object = {}) {
  return {
    type: 'object',
    properties: {
      [name]: { type: 'array', items },
      nextCursor: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last' },
      ...more,
    },
  } as const
}
