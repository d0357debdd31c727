import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { STORABLE } from '../db/patterns.ts'

/** Path prefix of every route about the maintenance requests of a site. */
export const OF_SITE = '/api/orgs/:orgId/properties/:propertyId'

/** Group in the API reference. */
export const TAGS = ['Maintenance requests']

const allowed = <const Allowed, const Least>(permission: Allowed, role: Least) =>
  ({ access: { by: 'key-or-operator', permission, role, needs: 'maintenance-requests' } }) as const

export const READS = allowed(['ticket:read', 'ticket:read_write'], 'viewer')
export const WRITES = allowed('ticket:read_write', 'manager')

export interface OfSite {
  orgId: string
  propertyId: string
}

/** Schema of path parameters. Those in `ids` are looked up in the database, so they must be storable text. */
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

/** Query parameters that select a page. */
export function paging(cursor: object, defaultLimit: number) {
  return {
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: defaultLimit },
    cursor: { type: 'string', ...cursor, description: 'The `nextCursor` of the previous page' },
  } as const
}

/** Schema of a page in a reply. */
export function pageOf(name: string, items: object, more: object = {}) {
  return {
    type: 'object',
    properties: {
      [name]: { type: 'array', items },
      nextCursor: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last page' },
      ...more,
    },
  } as const
}

const NUMBER = /^[1-9]\d{0,9}$/
const MAX_NUMBER = 2 ** 31 - 1

/** Reads the number of a request from a path. Throws `notFound` for text that cannot be a number. */
export function readNumber(text: string): number {
  if (!NUMBER.test(text) || Number(text) > MAX_NUMBER) throw noRequest(text)
  return Number(text)
}

export function noRequest(number: number | string): Failure {
  return new Failure('notFound', `this site has no request ${shown(String(number))}`)
}
