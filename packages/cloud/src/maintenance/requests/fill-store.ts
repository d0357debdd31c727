import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  type ColumnFieldValues,
  columnField,
  columnOf,
} from '@plantroom/contract/request-fields'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type GivenColumn, givenColumns, givenRows } from '../../platform/db/given-rows.ts'
import { findByKeys } from '../../platform/db/lookup.ts'
import { type ImportedPerson, insertLists } from './import-store.ts'

/** The columns that an import may leave empty and that a fill may set. */
export const FILLABLE_COLUMNS = COLUMN_FIELD_NAMES.filter(
  (name): name is FillableColumn =>
    name === 'ccEmails' || (columnField(name).isNullable && columnField(name).type !== 'timestamptz'),
)
export type FillableColumn = Exclude<
  ColumnFieldName,
  'externalId' | 'number' | 'title' | 'state' | 'createdAt' | 'updatedAt' | 'resolvedAt' | 'stateChangedAt'
>

/** A request of the site with what a fill may set in it. */
export interface FillableRequest {
  id: string
  number: number
  externalId: string
  /** An import added it, and its history begins there. */
  isImported: boolean
  /** The fields that are empty and that nobody has edited. */
  empty: ReadonlySet<string>
  /** The email of a reporter who is not linked to a person. */
  reporterEmail: string | null
  /** The emails of authors of comments who are not linked to people, by the position of the comment. */
  authorEmails: ReadonlyMap<number, string>
}

const LINKED = { assignee: 'assignee_id', supervisor: 'supervisor_id', unit: 'unit_id' } as const

const emptyColumn = (name: FillableColumn) => {
  const column = sql.ref(`ticket.${columnOf(name)}`)
  const { type } = columnField(name)
  if (type === 'text[]') return sql`cardinality(${column}) = 0`
  return type === 'text' ? sql`(${column} IS NULL OR ${column} = '')` : sql`${column} IS NULL`
}

const EMPTY = sql.join([
  ...FILLABLE_COLUMNS.map((name) => sql`CASE WHEN ${emptyColumn(name)} THEN ${sql.lit(name)} END`),
  ...Object.entries(LINKED).map(
    ([name, column]) => sql`CASE WHEN ${sql.ref(`ticket.${column}`)} IS NULL THEN ${sql.lit(name)} END`,
  ),
  sql`CASE WHEN reporter_id IS NULL AND reporter_email IS NULL AND reporter_name IS NULL AND reporter_phone IS NULL
    THEN 'reporter' END`,
  sql`CASE WHEN NOT EXISTS (SELECT FROM ticket_tag WHERE ticket_id = ticket.id) THEN 'tags' END`,
  sql`CASE WHEN NOT EXISTS (SELECT FROM ticket_watcher WHERE ticket_id = ticket.id) THEN 'watchers' END`,
])

/** Finds requests by externalId. With `lock`, nobody else changes them until the transaction ends. */
export async function findFillable(
  db: Db,
  siteId: string,
  externalIds: readonly string[],
  { lock }: { lock: boolean },
): Promise<ReadonlyMap<string, FillableRequest>> {
  const found = await findByKeys<{ id: string }>(db, 'ticket', { siteId, keys: externalIds, columns: ['id'] })
  const ids = found.map(({ id }) => id)
  const { rows } = await sql<{
    id: string
    number: number
    externalId: string
    isImported: boolean
    empty: string[]
    edited: string[]
    reporterEmail: string | null
  }>`
    SELECT id, number, external_id AS "externalId",
      job_id IS NOT NULL AND EXISTS (
        SELECT FROM ticket_change WHERE ticket_id = ticket.id AND kind = 'imported'
      ) AS "isImported",
      array_remove(ARRAY[${EMPTY}]::text[], NULL) AS empty,
      ARRAY(SELECT DISTINCT field FROM ticket_change WHERE ticket_id = ticket.id AND kind = 'changed') AS edited,
      CASE WHEN reporter_id IS NULL THEN reporter_email END AS "reporterEmail"
    FROM ticket WHERE id = ANY(${ids}::text[])
    -- As others do who lock many, so that nobody waits for each other.
    ORDER BY number ${lock ? sql`FOR UPDATE` : sql``}`.execute(db)
  const imported = rows.filter(({ isImported }) => isImported).map(({ id }) => id)
  const authors = await unlinkedAuthors(db, imported)
  return new Map(
    rows.map(({ empty, edited, ...row }) => {
      const fillable = new Set(empty.filter((name) => !edited.includes(name)))
      return [row.externalId, { ...row, empty: fillable, authorEmails: authors.get(row.id) ?? new Map() }]
    }),
  )
}

async function unlinkedAuthors(
  db: Db,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, string>>> {
  if (requestIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; position: number; email: string }>`
    SELECT ticket_id AS id, position, author_email AS email FROM ticket_comment
    WHERE ticket_id = ANY(${requestIds}::text[]) AND author_id IS NULL AND author_email IS NOT NULL`.execute(db)
  const byRequest = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    [...byRequest].map(([id, found]) => [id, new Map(found.map(({ position, email }) => [position, email]))]),
  )
}

/** Keeps people from being removed. Before locking requests: removing a person locks that person first. */
export async function lockPeople(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`SELECT FROM person WHERE id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`.execute(trx)
}

/** What is set in one request. What is undefined stays as it is. */
export interface Fill {
  id: string
  columns: Partial<Pick<ColumnFieldValues, FillableColumn>>
  assigneeId: string | undefined
  supervisorId: string | undefined
  unitId: string | undefined
  /** The text only where the request has none. */
  reporter: ImportedPerson | undefined
  watcherIds: readonly string[]
  tagIds: readonly string[]
  authors: readonly { position: number; personId: string }[]
}

const ID: GivenColumn<Fill> = { name: 'id', type: 'text', read: ({ id }) => id }
const FILLED_COLUMNS: readonly GivenColumn<Fill>[] = [
  ...FILLABLE_COLUMNS.map(
    (name): GivenColumn<Fill> => ({
      name: columnOf(name),
      type: columnField(name).type,
      read: ({ columns }) => columns[name],
    }),
  ),
  { name: 'assignee_id', type: 'text', read: ({ assigneeId }) => assigneeId },
  { name: 'supervisor_id', type: 'text', read: ({ supervisorId }) => supervisorId },
  { name: 'unit_id', type: 'text', read: ({ unitId }) => unitId },
  { name: 'reporter_id', type: 'text', read: ({ reporter }) => reporter?.id },
  { name: 'reporter_email', type: 'text', read: ({ reporter }) => reporter?.email },
  { name: 'reporter_name', type: 'text', read: ({ reporter }) => reporter?.name },
  { name: 'reporter_phone', type: 'text', read: ({ reporter }) => reporter?.phone },
]

/** Sets what was empty in requests that the caller has locked. */
export async function applyFills(trx: Db, at: Date, fills: readonly Fill[]): Promise<void> {
  if (fills.length === 0) return
  const set = FILLED_COLUMNS.map(({ name }) => {
    const column = sql.ref(name)
    return sql`${column} = coalesce(given.${column}, ticket.${column})`
  })
  await sql`
    UPDATE ticket SET ${sql.join(set)}, updated_at = ${at} FROM ${givenColumns(fills, [ID, ...FILLED_COLUMNS])}
    WHERE ticket.id = given.id`.execute(trx)
  await insertLists(trx, fills)
  const authors = fills.flatMap(({ id, authors }) => authors.map((author) => ({ id, ...author })))
  if (authors.length === 0) return
  await sql`
    UPDATE ticket_comment SET author_id = person_id
    FROM ${givenRows(authors, { id: 'text', place: ['integer', ({ position }) => position], person_id: 'text' })}
    WHERE ticket_id = given.id AND position = place`.execute(trx)
}
