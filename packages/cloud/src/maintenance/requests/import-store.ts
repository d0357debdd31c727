import { newId } from '@plantroom/base/ids'
import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  type ColumnFieldValues,
  columnField,
  columnOf,
} from '@plantroom/contract/request-fields'
import { sql } from 'kysely'
import { inBatches } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/database.ts'
import { type GivenColumn, givenColumns, insertGiven } from '../../platform/db/given-rows.ts'
import { findByKeys } from '../../platform/db/lookup.ts'
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

/** The columns that an import writes. The database assigns the number. */
const IMPORTED_COLUMNS: readonly GivenColumn<ImportedRequest>[] = [
  { name: 'id', type: 'text', read: ({ id }) => id },
  ...COLUMN_FIELD_NAMES.filter((name): name is Exclude<ColumnFieldName, 'number'> => name !== 'number').map(
    (name): GivenColumn<ImportedRequest> => ({
      name: columnOf(name),
      type: columnField(name).type,
      read: (request) => request[name],
    }),
  ),
  { name: 'reporter_id', type: 'text', read: ({ reporter }) => reporter.id },
  { name: 'reporter_email', type: 'text', read: ({ reporter }) => reporter.email },
  { name: 'reporter_name', type: 'text', read: ({ reporter }) => reporter.name },
  { name: 'reporter_phone', type: 'text', read: ({ reporter }) => reporter.phone },
  { name: 'assignee_id', type: 'text', read: ({ assigneeId }) => assigneeId },
  { name: 'supervisor_id', type: 'text', read: ({ supervisorId }) => supervisorId },
  { name: 'unit_id', type: 'text', read: ({ unitId }) => unitId },
  { name: 'job_position', type: 'integer', read: ({ jobPosition }) => jobPosition },
]

const PLACE: GivenColumn<ImportedRequest> = { name: 'place', type: 'integer', read: (_, place) => place }
const columnNames = sql.join(IMPORTED_COLUMNS.map(({ name }) => sql.ref(name)))

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
  const { rows } = await sql<{ id: string; number: number }>`
    INSERT INTO ticket (site_id, job_id, number, ${columnNames})
    SELECT ${siteId}, ${jobId}, ${last + 1}::integer + place, ${columnNames}
    FROM ${givenColumns(requests, [...IMPORTED_COLUMNS, PLACE])}
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
  for (const some of inBatches(names)) {
    const { rows } = await sql<{ id: string; name: string }>`
      ${insertGiven(table, { site_id: siteId }, some, { id: ['text', () => newId(table)], name: ['text', (name) => name] })}
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
  for (const some of inBatches(comments)) await insertComments(trx, some)
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
  const tags = requests.flatMap(({ id, tagIds }) =>
    tagIds.map((tagId, position) => ({ ticketId: id, position, tagId })),
  )
  for (const some of inBatches(tags)) {
    await insertGiven('ticket_tag', {}, some, { ticket_id: 'text', position: 'integer', tag_id: 'text' }).execute(trx)
  }
  const watchers = requests.flatMap(({ id, watcherIds }) =>
    watcherIds.map((personId, position) => ({ ticketId: id, position, personId })),
  )
  for (const some of inBatches(watchers)) {
    const columns = { ticket_id: 'text', position: 'integer', person_id: 'text' } as const
    await insertGiven('ticket_watcher', {}, some, columns).execute(trx)
  }
}

async function insertComments(
  trx: Db,
  comments: readonly (ImportedComment & { requestId: string; position: number })[],
): Promise<void> {
  await insertGiven('ticket_comment', {}, comments, {
    ticket_id: ['text', ({ requestId }) => requestId],
    position: 'integer',
    content: 'text',
    author_id: ['text', ({ author }) => author.id],
    author_email: ['text', ({ author }) => author.email],
    author_name: ['text', ({ author }) => author.name],
    author_phone: ['text', ({ author }) => author.phone],
    created_at: 'timestamptz',
  }).execute(trx)
}
