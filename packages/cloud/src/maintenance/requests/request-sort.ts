import type { RequestSort, SortOrder } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { TICKET_STATES } from '@plantroom/contract/tickets'
import { type RawBuilder, sql } from 'kysely'

/** How the list of requests is sorted. */
export interface RequestOrder {
  sort: RequestSort
  order: SortOrder
  /** The request with this number comes first. */
  first: number | undefined
}

interface SortKey {
  /** The sorted value of a row of `ticket`, joined with its assignee as `sorted_assignee`. */
  value: RawBuilder<unknown>
  type: 'timestamptz' | 'integer' | 'text'
  isNullable?: true
}

const STATES = sql.join(TICKET_STATES.map((state) => sql.lit(state)))

const KEYS: Readonly<Record<RequestSort, SortKey>> = {
  created: { value: sql`ticket.created_at`, type: 'timestamptz' },
  changed: { value: sql`coalesce(ticket.updated_at, ticket.created_at)`, type: 'timestamptz' },
  number: { value: sql`ticket.number`, type: 'integer' },
  priority: { value: sql`ticket.priority::integer`, type: 'integer', isNullable: true },
  state: { value: sql`array_position(ARRAY[${STATES}]::text[], ticket.state)`, type: 'integer' },
  title: { value: sql`lower(ticket.title)`, type: 'text' },
  assignee: {
    value: sql`lower(coalesce(nullif(btrim(sorted_assignee.name), ''), sorted_assignee.email))`,
    type: 'text',
    isNullable: true,
  },
}

/** The parts of a query that sort requests and find the page after a cursor. */
export interface Sorting {
  /** Small numbers come first, whatever the order: the number that was searched, and rows that have the value. */
  rank: RawBuilder<number>
  value: RawBuilder<unknown>
  orderBy: RawBuilder<unknown>
  /** Rows after a position. */
  after(position: Position): RawBuilder<boolean>
}

/** The last row of a page. */
export interface Position {
  rank: number
  value: string | null
  number: number
}

const FOUND = 0
const WITH_VALUE = 1
const WITHOUT_VALUE = 2

export function sortingOf({ sort, order, first }: RequestOrder): Sorting {
  const { value, type, isNullable } = KEYS[sort]
  const isRanked = isNullable || first !== undefined
  const rank = rankOf(isNullable ? value : undefined, first)
  const direction = sql.raw(order)
  const comparison = sql.raw(order === 'asc' ? '>' : '<')
  const cast = sql.raw(type)
  // A row comparison with null is null. Rows without a value have a rank of their own, so any constant will do.
  const empty = type === 'text' ? sql`''` : sql`0`
  const compared = isNullable ? sql`coalesce(${value}, ${empty})` : value
  return {
    rank,
    value,
    orderBy: sql`${isRanked ? sql`${rank} ASC, ` : sql``}${value} ${direction}, ticket.number ${direction}`,
    after(position) {
      const given = position.value === null ? empty : sql`${position.value}::${cast}`
      const beyond = sql<boolean>`(${compared}, ticket.number) ${comparison} (${given}, ${position.number}::integer)`
      if (!isRanked) return beyond
      const at = sql`${position.rank}::integer`
      return sql<boolean>`(${rank} > ${at} OR (${rank} = ${at} AND ${beyond}))`
    },
  }
}

function rankOf(nullableValue: RawBuilder<unknown> | undefined, first: number | undefined): RawBuilder<number> {
  const found = first === undefined ? sql`` : sql`WHEN ticket.number = ${first}::integer THEN ${sql.lit(FOUND)} `
  const missing = nullableValue ? sql`WHEN ${nullableValue} IS NULL THEN ${sql.lit(WITHOUT_VALUE)} ` : sql``
  if (first === undefined && !nullableValue) return sql<number>`${sql.lit(WITH_VALUE)}::integer`
  return sql<number>`CASE ${found}${missing}ELSE ${sql.lit(WITH_VALUE)} END`
}

/** Writes a position as a cursor. It names the order, because a position in another order means nothing. */
export function writeCursor({ sort, order }: Pick<RequestOrder, 'sort' | 'order'>, position: Position): string {
  const parts = [sort, order, position.rank, position.value, position.number]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Reads a cursor of a list in this order. Throws `invalid` for any other text. */
export function readCursor({ sort, order }: Pick<RequestOrder, 'sort' | 'order'>, cursor: string): Position {
  const [ofSort, ofOrder, rank, value, number] = parse(cursor)
  const isPosition =
    ofSort === sort && ofOrder === order && isInteger(rank) && isInteger(number) && isValue(sort, value)
  if (!isPosition) {
    throw new Failure(
      'invalid',
      'cursor must be the nextCursor of a page with the same sort and order; start again without a cursor',
      'cursor',
    )
  }
  return { rank, value, number }
}

function parse(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

const MAX_INTEGER = 2 ** 31 - 1
const isInteger = (part: unknown): part is number => Number.isInteger(part) && Math.abs(Number(part)) <= MAX_INTEGER
/** As PostgreSQL writes a `timestamptz`. */
const TIME = /^\d{4,6}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2}){0,2}( BC)?$/

/** Only what the database can cast: anything else would be an error of its own. */
function isValue(sort: RequestSort, part: unknown): part is string | null {
  const { type, isNullable } = KEYS[sort]
  if (part === null) return isNullable === true
  if (typeof part !== 'string') return false
  if (type === 'integer') return /^\d{1,10}$/.test(part) && Number(part) <= MAX_INTEGER
  return type === 'timestamptz' ? isTime(part) : !part.includes('\0') && part.isWellFormed()
}

/** True for a time that exists: PostgreSQL rejects the 30th of February. */
function isTime(text: string): boolean {
  if (!TIME.test(text)) return false
  const [date = '', rest = ''] = text.split(' ')
  const [year = '', month = '', day = ''] = date.split('-')
  const [hours = 0, minutes = 0, seconds = 0] = rest.slice(0, 8).split(':').map(Number)
  const days = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days
  return Number(year) >= 1 && isDay && hours < 24 && minutes < 60 && seconds < 60
}
