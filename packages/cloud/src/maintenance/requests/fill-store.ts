import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  type ColumnFieldValues,
  columnField,
  columnOf,
} from '@plantroom/contract/request-fields'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { findByKeys } from '../../platform/db/lookup.ts'
import { arrayLiteral, type ImportedPerson, insertLists } from './import-store.ts'

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

interface FilledColumn {
  column: string
  type: string
  value(fill: Fill): unknown
}

const FILLED_COLUMNS: readonly FilledColumn[] = [
  ...FILLABLE_COLUMNS.map(
    (name): FilledColumn => ({
      column: columnOf(name),
      type: columnField(name).type,
      value: ({ columns }) => columns[name] ?? null,
    }),
  ),
  { column: 'assignee_id', type: 'text', value: ({ assigneeId }) => assigneeId ?? null },
  { column: 'supervisor_id', type: 'text', value: ({ supervisorId }) => supervisorId ?? null },
  { column: 'unit_id', type: 'text', value: ({ unitId }) => unitId ?? null },
  { column: 'reporter_id', type: 'text', value: ({ reporter }) => reporter?.id ?? null },
  { column: 'reporter_email', type: 'text', value: ({ reporter }) => reporter?.email ?? null },
  { column: 'reporter_name', type: 'text', value: ({ reporter }) => reporter?.name ?? null },
  { column: 'reporter_phone', type: 'text', value: ({ reporter }) => reporter?.phone ?? null },
]

/** Sets what was empty in requests that the caller has locked. */
export async function applyFills(trx: Db, at: Date, fills: readonly Fill[]): Promise<void> {
  if (fills.length === 0) return
  const given = sql.join(
    FILLED_COLUMNS.map(({ type, value }) => {
      if (type !== 'text[]') return sql`${fills.map(value)}::${sql.raw(type)}[]`
      // Arrays travel as text: PostgreSQL has no arrays of arrays of different lengths.
      return sql`${fills.map((fill) => (value(fill) === null ? null : arrayLiteral(value(fill))))}::text[]`
    }),
  )
  const set = FILLED_COLUMNS.map(({ column, type }) => {
    const filled = sql.ref(`filled.${column}`)
    const now = sql.ref(`ticket.${column}`)
    return sql`${sql.ref(column)} = coalesce(${type === 'text[]' ? sql`${filled}::text[]` : filled}, ${now})`
  })
  await sql`
    UPDATE ticket SET ${sql.join(set)}, updated_at = ${at}
    FROM unnest(${fills.map(({ id }) => id)}::text[], ${given})
      AS filled (id, ${sql.join(FILLED_COLUMNS.map(({ column }) => sql.ref(column)))})
    WHERE ticket.id = filled.id`.execute(trx)
  await insertLists(trx, fills)
  const authors = fills.flatMap(({ id, authors }) => authors.map((author) => ({ id, ...author })))
  if (authors.length === 0) return
  await sql`
    UPDATE ticket_comment SET author_id = person_id
    FROM unnest(
      ${authors.map(({ id }) => id)}::text[], ${authors.map(({ position }) => position)}::integer[],
      ${authors.map(({ personId }) => personId)}::text[]
    ) AS linked (id, place, person_id)
    WHERE ticket_id = linked.id AND position = linked.place`.execute(trx)
}
