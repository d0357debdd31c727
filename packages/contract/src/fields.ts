import { EMAIL, NOT_BLANK, STORABLE } from './patterns.ts'
import { defaulted, integer, nullable, object, optional, type Schema, text } from './schema.ts'

/** Fields that many messages have. */

/** A time as callers write it: RFC 3339 with an offset. */
export const givenTime = (description: string) => text({ format: 'timestamp', description })
/** A time as we write it. */
export const time = (description?: string) => text({ format: 'date-time', ...(description && { description }) })
export const timeOrNull = (description?: string) => nullable(time(description))

/** A name that a person gave to something. */
export const name = text({ minLength: 1, maxLength: 255, pattern: NOT_BLANK })
export const timeZone = text({ maxLength: 255, description: 'IANA name, for example Europe/Tallinn' })
export const email = text({ maxLength: 255, pattern: EMAIL })
/** Text that is only compared with what is stored. */
export const storable = (description?: string) =>
  text({ maxLength: 255, pattern: STORABLE, ...(description && { description }) })

export const nextCursor = nullable(text(), { description: 'The cursor of the next page; null on the last' })

/** The longest `reason` of an override or of a cancel. */
export const MAX_REASON = 200

/** A position in a list, opaque to callers: a number that every `bigint` column takes. */
export const CURSOR = '^\\d{1,18}$'

/** The part of a query that asks for a page. */
export function paging(
  limits: { readonly most: number; readonly default: number },
  cursor: Schema<string> = text({ pattern: CURSOR }),
) {
  return {
    limit: defaulted(integer({ minimum: 1, maximum: limits.most }), limits.default),
    cursor: optional({ ...cursor, description: 'The nextCursor of the page before' }),
  }
}

export const named = object({ id: text(), name: text() })
