import type { Actor } from '@plantroom/contract/activity'
import { WRITTEN_CHARACTERS } from '@plantroom/contract/request-fields'
import type { HistoryField, TicketChange } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'
import type { Page, PageQuery } from '../../platform/db/page.ts'

/** What happened to a request: it was created or imported, or the values of one field changed or were filled. */
export type RecordedChange =
  | { requestId: string; kind: 'created' | 'imported' }
  | {
      requestId: string
      kind: 'changed' | 'filled'
      field: HistoryField
      before: readonly string[]
      after: readonly string[]
    }

/** Values of these fields are ids of people, which a page shows as long as they are people of the site. */
const PEOPLE: ReadonlySet<string> = new Set<HistoryField>(['assignee', 'supervisor', 'watchers'])

/**
 * Adds to the history of requests, in the transaction of the change. Everything that adds or changes requests calls it:
 * the API, imports, and changes of many requests.
 */
export async function recordChange(
  tx: Db,
  { at, by }: { at: Date; by: Actor },
  changes: readonly RecordedChange[],
): Promise<void> {
  if (changes.length === 0) return
  const shared = { at, actor_kind: by.kind, actor_id: by.id, actor_name: by.name }
  await insertGiven('ticket_change', shared, changes, {
    ticket_id: ['text', ({ requestId }) => requestId],
    kind: 'text',
    field: ['text', (change) => ('field' in change ? change.field : null)],
    before: ['jsonb', (change) => ('field' in change ? change.before.map(shorten) : [])],
    after: ['jsonb', (change) => ('field' in change ? change.after.map(shorten) : [])],
  }).execute(tx)
}

/** A text from a package may be of any length. */
function shorten(text: string): string {
  const storable = text.toWellFormed()
  return storable.length <= 2 * WRITTEN_CHARACTERS
    ? storable
    : `${storable.slice(0, WRITTEN_CHARACTERS).toWellFormed()}…`
}

/** A page ends once its values exceed this size. */
const PAGE_BYTES = 2_000_000

export type HistoryStore = ReturnType<typeof createHistoryStore>

/** Reads the history of requests. */
export function createHistoryStore(db: Db) {
  return {
    /** Returns one page, newest first. */
    async list(requestId: string, page: PageQuery): Promise<Page<TicketChange>> {
      let some = db.selectFrom('ticket_change').where('ticket_id', '=', requestId)
      if (page.cursor !== undefined) some = some.where('id', '<', page.cursor)
      const next = some
        .selectAll()
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
      const rows = await db
        .selectFrom(next.as('next'))
        .select(['id', 'at', 'kind', 'field', 'before', 'after', 'actor_kind', 'actor_name'])
        .select(
          sql<string>`sum(octet_length(before::text) + octet_length(after::text)) OVER (ORDER BY id DESC)`.as('bytes'),
        )
        .orderBy('id', 'desc')
        .execute()
      const shown = rows.filter(({ bytes }, place) => place === 0 || (place < page.limit && Number(bytes) < PAGE_BYTES))
      const people = await emailsOf(
        db,
        shown.flatMap(({ field, before, after }) => (field !== null && PEOPLE.has(field) ? [...before, ...after] : [])),
      )
      return {
        next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
        items: shown.map(({ at, kind, field, before, after, actor_kind, actor_name }) => {
          const read = (values: string[]) =>
            field !== null && PEOPLE.has(field) ? values.map((id) => people.get(id) ?? null) : values
          return {
            at: formatTimestamp(at.getTime()),
            kind,
            field,
            from: read(before),
            to: read(after),
            by: { kind: actor_kind, name: actor_name },
          }
        }),
      }
    },
  }
}

async function emailsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await db
    .selectFrom('person')
    .where('id', '=', sql<string>`ANY(${[...new Set(ids)]}::text[])`)
    .select(['id', 'email'])
    .execute()
  return new Map(found.map(({ id, email }) => [id, email]))
}
