import { newId } from '@plantroom/base/ids'
import type { Actor } from '@plantroom/contract/activity'
import type { RequestDetails } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import {
  columnOf,
  EDITABLE_COLUMN_FIELDS,
  type EditableColumnField,
  type RequestColumns,
} from '@plantroom/contract/request-fields'
import { shown } from '@plantroom/contract/shown'
import type { Person, TicketState } from '@plantroom/contract/tickets'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import { insertAttachments, type NewAttachment, placed } from './attachment-store.ts'
import { recordChange } from './history-store.ts'
import { findOrAddTags, findUnitId } from './label-store.ts'
import { findPerson } from './person-store.ts'
import { noRequest, takeNumber } from './request-number-store.ts'
import { changesBetween, fieldsIn, readValues, requireUnchanged } from './value-store.ts'

interface NewRequest extends RequestDetails {
  title: string
  reporter: Person | null
  attachments?: readonly NewAttachment[]
}

/** When something is done, and by whom. */
interface Done {
  at: Date
  by: Actor
}

/** Adds and changes requests. Rejects with `invalid`, changing nothing, when the site lacks a named person or unit. */
export function createChangeStore(db: Db) {
  return {
    /** Adds a request and returns its number. */
    add: (siteId: string, request: NewRequest, done: Done): Promise<number> =>
      inTransaction(db, (tx) => addRequest(tx, siteId, request, done)),

    /**
     * Rejects with `notFound` when the site has no such request, and with `conflict` when `seen` has values that someone
     * else has changed.
     */
    change: (
      of: { siteId: string; number: number },
      details: RequestDetails,
      done: Done,
      seen: RequestDetails = {},
    ): Promise<void> => inTransaction(db, (tx) => changeRequest(tx, of, { details, seen }, done)),
  }
}

async function addRequest(tx: Db, siteId: string, request: NewRequest, { at, by }: Done): Promise<number> {
  const { reporter, attachments, ...details } = request
  const linked = reporter?.email ? await findPerson(tx, siteId, reporter.email) : undefined
  const named = await findNamed(tx, siteId, details)
  const id = newId('ticket')
  const initial = { state: 'new' as const, stateChangedAt: at, resolvedAt: null }
  // Last: everyone else who adds a request on this site waits from here on.
  const number = await takeNumber(tx, siteId)
  await tx
    .insertInto('ticket')
    .values({
      ...editedColumns(details),
      ...named.columns,
      ...stateColumns(changeState(initial, details.state ?? 'new', at)),
      id,
      site_id: siteId,
      number,
      // Exports use the id as the external id.
      external_id: id,
      title: request.title,
      reporter_id: linked?.id ?? null,
      reporter_email: reporter?.email ?? null,
      reporter_name: reporter?.name ?? null,
      reporter_phone: reporter?.phone ?? null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await replaceLists(tx, id, named)
  await insertAttachments(tx, placed(id, null, attachments ?? []))
  await recordChange(tx, { at, by }, [{ requestId: id, kind: 'created' }])
  return number
}

async function changeRequest(
  tx: Db,
  { siteId, number }: { siteId: string; number: number },
  { details, seen }: { details: RequestDetails; seen: RequestDetails },
  { at, by }: Done,
): Promise<void> {
  // Before locking the request: removing a person locks that person first and then waits for their requests.
  const named = await findNamed(tx, siteId, details)
  const before = await tx
    .selectFrom('ticket')
    .where('site_id', '=', siteId)
    .where('number', '=', number)
    .select(['id', 'state', 'state_changed_at as stateChangedAt', 'resolved_at as resolvedAt'])
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw noRequest(number)
  const changed = fieldsIn(details)
  const current = await readValues(tx, before.id, fieldsIn({ ...details, ...seen }))
  requireUnchanged(current, seen)
  await tx
    .updateTable('ticket')
    .set({
      ...editedColumns(details),
      ...named.columns,
      ...stateColumns(changeState(before, details.state ?? before.state, at)),
      updated_at: at,
    })
    .where('id', '=', before.id)
    .execute()
  await replaceLists(tx, before.id, named)
  await recordChange(tx, { at, by }, changesBetween(before.id, current, await readValues(tx, before.id, changed)))
}

type EditedColumns = Partial<Pick<RequestColumns, ReturnType<typeof columnOf<EditableColumnField>>>>

/** Returns the columns of the fields that were given. */
function editedColumns(details: RequestDetails): EditedColumns {
  return Object.fromEntries(
    EDITABLE_COLUMN_FIELDS.flatMap((name) => (details[name] === undefined ? [] : [[columnOf(name), details[name]]])),
  )
}

interface StateAndTimes {
  state: TicketState
  stateChangedAt: Date
  resolvedAt: Date | null
}

const RESOLVED: ReadonlySet<TicketState> = new Set(['resolved', 'closed'])

/**
 * Moves a request to a state; every transition is allowed. Closing a resolved request keeps the time of its resolution,
 * reopening it clears that time.
 */
export function changeState(before: StateAndTimes, state: TicketState, now: Date): StateAndTimes {
  if (state === before.state) return before
  const since = RESOLVED.has(before.state) ? before.resolvedAt : null
  return { state, stateChangedAt: now, resolvedAt: RESOLVED.has(state) ? (since ?? now) : null }
}

function stateColumns({ state, stateChangedAt, resolvedAt }: StateAndTimes) {
  return { state, state_changed_at: stateChangedAt, resolved_at: resolvedAt }
}

/** Finds the ids of named people, unit and tags, or rejects with `invalid`. Tags last, because only tags are created. */
export async function findNamed(
  tx: Db,
  siteId: string,
  { assignee, supervisor, unit, watchers, tags }: RequestDetails,
) {
  const columns = {
    ...(assignee !== undefined && { assignee_id: await personId(tx, siteId, assignee, 'assignee') }),
    ...(supervisor !== undefined && { supervisor_id: await personId(tx, siteId, supervisor, 'supervisor') }),
    ...(unit !== undefined && { unit_id: await unitId(tx, siteId, unit) }),
  }
  const watcherIds = watchers && new Set<string>()
  for (const [index, email] of (watchers ?? []).entries()) {
    watcherIds?.add(await requirePerson(tx, siteId, email, `watchers[${index}]`))
  }
  const tagIds = tags && (await findOrAddTags(tx, siteId, tags))
  return { columns, watcherIds, tagIds }
}

type Named = Awaited<ReturnType<typeof findNamed>>

async function replaceLists(tx: Db, requestId: string, { tagIds, watcherIds }: Named): Promise<void> {
  if (tagIds) {
    await tx.deleteFrom('ticket_tag').where('ticket_id', '=', requestId).execute()
    const rows = tagIds.map((tag_id, position) => ({ ticket_id: requestId, position, tag_id }))
    if (rows.length > 0) await tx.insertInto('ticket_tag').values(rows).execute()
  }
  if (watcherIds) {
    await tx.deleteFrom('ticket_watcher').where('ticket_id', '=', requestId).execute()
    const rows = [...watcherIds].map((person_id, position) => ({ ticket_id: requestId, position, person_id }))
    if (rows.length > 0) await tx.insertInto('ticket_watcher').values(rows).execute()
  }
}

async function personId(tx: Db, siteId: string, email: string | null, field: string): Promise<string | null> {
  return email === null ? null : requirePerson(tx, siteId, email, field)
}

async function requirePerson(tx: Db, siteId: string, email: string, field: string): Promise<string> {
  const person = await findPerson(tx, siteId, email)
  if (person) return person.id
  throw new Failure(
    'invalid',
    `${field}: this site has no person with the email ${shown(email)}; add them first`,
    field,
  )
}

async function unitId(tx: Db, siteId: string, name: string | null): Promise<string | null> {
  if (name === null) return null
  const id = await findUnitId(tx, siteId, name)
  if (id !== undefined) return id
  throw new Failure('invalid', `unit: this site has no unit "${shown(name.trim())}"; add it first`, 'unit')
}
