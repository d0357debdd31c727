import { newId } from '@plantroom/base/ids'
import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  type ColumnFieldValues,
  columnField,
  columnOf,
} from '@plantroom/contract/request-fields'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { findByKeys } from '../../platform/db/lookup.ts'
import { pieces } from '../../platform/db/pieces.ts'
import { insertAttachments, type NewAttachment, placed } from './attachment-store.ts'

/**
 * A request with all of its parts, as an import adds it: completely or not at all. Times are text that the database reads.
 */
export interface ImportedRequest extends Omit<ColumnFieldValues, 'number'> {
  id: string
  reporter: ImportedPerson
  assigneeId: string | null
  supervisorId: string | null
  unitId: string | null
  /** Index in the package. */
  jobPosition: number
  watcherIds: readonly string[]
  tagIds: readonly string[]
  comments: readonly ImportedComment[]
  attachments: readonly NewAttachment[]
}

/** The text that a package has about a person, and the id of the matching person of the site. */
export interface ImportedPerson {
  id: string | null
  email: string | null
  name: string | null
  phone: string | null
}

interface ImportedComment {
  content: string
  author: ImportedPerson
  createdAt: string | null
  attachments: readonly NewAttachment[]
}

interface ImportedColumn {
  column: string
  type: string
  value(request: ImportedRequest): unknown
}

/** The columns that an import writes. The database assigns the number. */
const IMPORTED_COLUMNS: readonly ImportedColumn[] = [
  { column: 'id', type: 'text', value: ({ id }) => id },
  ...COLUMN_FIELD_NAMES.filter((name): name is Exclude<ColumnFieldName, 'number'> => name !== 'number').map(
    (name): ImportedColumn => ({
      column: columnOf(name),
      type: columnField(name).type,
      value: (request) => request[name],
    }),
  ),
  { column: 'reporter_id', type: 'text', value: ({ reporter }) => reporter.id },
  { column: 'reporter_email', type: 'text', value: ({ reporter }) => reporter.email },
  { column: 'reporter_name', type: 'text', value: ({ reporter }) => reporter.name },
  { column: 'reporter_phone', type: 'text', value: ({ reporter }) => reporter.phone },
  { column: 'assignee_id', type: 'text', value: ({ assigneeId }) => assigneeId },
  { column: 'supervisor_id', type: 'text', value: ({ supervisorId }) => supervisorId },
  { column: 'unit_id', type: 'text', value: ({ unitId }) => unitId },
  { column: 'job_position', type: 'integer', value: ({ jobPosition }) => jobPosition },
]

const columnNames = sql.join(IMPORTED_COLUMNS.map(({ column }) => sql.ref(column)))
// Arrays travel as text: PostgreSQL has no arrays of arrays of different lengths.
const selected = sql.join(
  IMPORTED_COLUMNS.map(({ column, type }) => (type === 'text[]' ? sql`${sql.ref(column)}::text[]` : sql.ref(column))),
)

function columnArray({ type, value }: ImportedColumn, requests: readonly ImportedRequest[]): RawBuilder<unknown> {
  if (type === 'text[]') return sql`${requests.map((request) => arrayLiteral(value(request)))}::text[]`
  return sql`${requests.map(value)}::${sql.raw(type)}[]`
}

/**
 * Adds the requests whose externalId is not on the site yet, in order, numbered from `last` + 1. Returns the ids of the added
 * ones. The caller holds the lock on numbers and then adds the parts.
 */
export async function insertRequests(
  trx: Db,
  { siteId, jobId, last }: { siteId: string; jobId: string; last: number },
  requests: readonly ImportedRequest[],
): Promise<ReadonlySet<string>> {
  if (requests.length === 0) return new Set()
  const arrays = sql.join(IMPORTED_COLUMNS.map((column) => columnArray(column, requests)))
  const { rows } = await sql<{ id: string; number: number }>`
    INSERT INTO ticket (site_id, job_id, number, ${columnNames})
    SELECT ${siteId}, ${jobId}, ${last}::integer + place::integer, ${selected}
    FROM unnest(${arrays}) WITH ORDINALITY AS new (${columnNames}, place)
    ORDER BY place
    ON CONFLICT (site_id, external_id) DO NOTHING
    RETURNING id, number`.execute(trx)
  if (rows.length === 0) return new Set()
  const highest = rows.reduce((most, { number }) => Math.max(most, number), last)
  await trx.updateTable('ticket_number').set({ last: highest }).where('site_id', '=', siteId).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Creates missing units or tags. Returns the ids of all of them by name, and the names of the created ones. */
export async function insertLabels(
  trx: Db,
  table: 'unit' | 'tag',
  siteId: string,
  names: readonly string[],
): Promise<{ ids: ReadonlyMap<string, string>; created: ReadonlySet<string> }> {
  const ids = new Map<string, string>()
  for (const some of pieces(names)) {
    const { rows } = await sql<{ id: string; name: string }>`
      INSERT INTO ${sql.table(table)} (site_id, id, name)
      SELECT ${siteId}, id, name FROM unnest(${some.map(() => newId(table))}::text[], ${some}::text[]) AS new (id, name)
      ON CONFLICT (site_id, name) DO NOTHING
      RETURNING id, name`.execute(trx)
    for (const { id, name } of rows) ids.set(name, id)
  }
  const created = new Set(ids.keys())
  // Someone else may have created some of them at the same moment.
  const keys = names.filter((name) => !created.has(name))
  const others = await findByKeys<{ id: string; name: string }>(trx, table, { siteId, keys, columns: ['id', 'name'] })
  for (const { id, name } of others) ids.set(name, id)
  return { ids, created }
}

/** Adds the comments, attachments, tags and watchers of requests that were just added. */
export async function insertParts(trx: Db, requests: readonly ImportedRequest[]): Promise<void> {
  const comments = requests.flatMap(({ id, comments }) =>
    comments.map((comment, position) => ({ requestId: id, position, ...comment })),
  )
  for (const some of pieces(comments)) await insertComments(trx, some)
  const attachments = [
    ...requests.flatMap(({ id, attachments }) => placed(id, null, attachments)),
    ...comments.flatMap(({ requestId, position, attachments }) => placed(requestId, position, attachments)),
  ]
  await insertAttachments(trx, attachments)
  await insertLists(trx, requests)
}

/** Adds the tags and watchers of requests that have none. */
export async function insertLists(
  trx: Db,
  requests: readonly Pick<ImportedRequest, 'id' | 'tagIds' | 'watcherIds'>[],
): Promise<void> {
  const tags = requests.flatMap(({ id, tagIds }) => tagIds.map((tag, position) => ({ id, position, tag })))
  for (const some of pieces(tags)) {
    await sql`
      INSERT INTO ticket_tag (ticket_id, position, tag_id)
      SELECT * FROM unnest(
        ${some.map(({ id }) => id)}::text[], ${some.map(({ position }) => position)}::integer[], ${some.map(({ tag }) => tag)}::text[]
      )`.execute(trx)
  }
  const watchers = requests.flatMap(({ id, watcherIds }) =>
    watcherIds.map((personId, position) => ({ id, position, personId })),
  )
  for (const some of pieces(watchers)) {
    await sql`
      INSERT INTO ticket_watcher (ticket_id, position, person_id)
      SELECT * FROM unnest(
        ${some.map(({ id }) => id)}::text[], ${some.map(({ position }) => position)}::integer[],
        ${some.map(({ personId }) => personId)}::text[]
      )`.execute(trx)
  }
}

async function insertComments(
  trx: Db,
  comments: readonly (ImportedComment & { requestId: string; position: number })[],
): Promise<void> {
  await sql`
    INSERT INTO ticket_comment (
      ticket_id, position, content, author_id, author_email, author_name, author_phone, created_at
    )
    SELECT * FROM unnest(
      ${comments.map(({ requestId }) => requestId)}::text[],
      ${comments.map(({ position }) => position)}::integer[],
      ${comments.map(({ content }) => content)}::text[],
      ${comments.map(({ author }) => author.id)}::text[],
      ${comments.map(({ author }) => author.email)}::text[],
      ${comments.map(({ author }) => author.name)}::text[],
      ${comments.map(({ author }) => author.phone)}::text[],
      ${comments.map(({ createdAt }) => createdAt)}::timestamptz[]
    )`.execute(trx)
}

/** Writes an array of texts as PostgreSQL reads it. */
export function arrayLiteral(value: unknown): string {
  const texts = Array.isArray(value) ? value.map(String) : []
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
