import { newId } from '@plantroom/base/ids'
import type { Actor } from '@plantroom/contract/activity'
import type { ChangeOutcome, RequestChanges, RequestDetails } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { isSameEmail } from '@plantroom/contract/fold-email'
import type { TicketState } from '@plantroom/contract/tickets'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { createChangeStore, findNamed } from './change-store.ts'
import { findPerson } from './person-store.ts'
import { noRequest } from './request-number-store.ts'

/** How long a change can be undone. The console offers it for a shorter time. */
const UNDO_MS = 60_000
/** Most tags of a request, as for a single change. */
const MAX_TAGS = 100

/** The values of a request that a change of many can set. */
interface Values {
  state: TicketState
  priority: number | null
  assignee: string | null
  tags: readonly string[]
}

interface Found extends Values {
  number: number
  stateChangedAt: string
  resolvedAt: string | null
}

/** What a change did to one request. Kept to undo it. */
interface Changed {
  before: Found
  after: Partial<Values>
}

export interface BulkResult {
  outcomes: ChangeOutcome[]
  /** The names of the changed fields by number, for the requests that changed. */
  fields: ReadonlyMap<number, readonly string[]>
}

interface Bulk {
  siteId: string
  /** Only the same caller can undo it. */
  caller: string
  at: Date
  by: Actor
}

/** Changes many requests in the transaction that `tx` is. */
export function createBulkStore(tx: Db) {
  return {
    /** Rejects with `invalid`, changing nothing, when the site lacks the assignee. */
    async change(
      bulk: Bulk,
      numbers: readonly number[],
      changes: RequestChanges,
    ): Promise<BulkResult & { undoId: string | null }> {
      // Before locking the requests: removing a person locks that person first and then waits for their requests.
      await findNamed(tx, bulk.siteId, { assignee: changes.assignee ?? null, tags: changes.addTags ?? [] })
      const found = await lockRequests(tx, bulk.siteId, numbers)
      const changed: Changed[] = []
      const outcomes = await each(numbers, found, async (before) => {
        const after = differences(before, wanted(before, changes))
        if (Object.keys(after).length === 0) return 'unchanged'
        const of = { siteId: bulk.siteId, number: before.number }
        await createChangeStore(tx).change(of, after as RequestDetails, bulk)
        changed.push({ before, after })
        return 'changed'
      })
      return { outcomes, fields: fieldsOf(changed), undoId: await keepUndo(tx, bulk, changed) }
    },

    /** Restores the values before a change. Rejects with `notFound` when it is too late, or the change of another. */
    async undo(bulk: Bulk, undoId: string): Promise<BulkResult> {
      const items = await takeUndo(tx, bulk, undoId)
      const assignees = new Set(items.flatMap(({ before }) => before.assignee ?? []))
      for (const email of [...assignees].sort()) await findPerson(tx, bulk.siteId, email)
      const numbers = items.map(({ before }) => before.number)
      const byNumber = new Map(items.map((item) => [item.before.number, item]))
      const found = await lockRequests(tx, bulk.siteId, numbers)
      const restored: Changed[] = []
      const outcomes = await each(numbers, found, async (now) => {
        const item = byNumber.get(now.number)
        if (!item || Object.keys(differences(now, item.after)).length > 0) {
          throw new Failure('conflict', `request ${now.number} was changed again since then; it stays as it is`)
        }
        await restore(tx, bulk, item)
        restored.push({ before: now, after: item.after })
        return 'changed'
      })
      return { outcomes, fields: fieldsOf(restored) }
    },
  }
}

const fieldsOf = (changed: readonly Changed[]) =>
  new Map(changed.map(({ before, after }) => [before.number, Object.keys(after)]))

/** Locked in the order of their numbers, so that two callers never wait for each other. */
async function lockRequests(tx: Db, siteId: string, numbers: readonly number[]): Promise<Map<number, Found>> {
  const rows = await tx
    .selectFrom('ticket')
    .leftJoin('person', 'person.id', 'ticket.assignee_id')
    .where('ticket.site_id', '=', siteId)
    .where('ticket.number', '=', sql<number>`ANY(${numbers}::integer[])`)
    .select(['ticket.number', 'ticket.state', 'ticket.priority', 'person.email as assignee'])
    .select([
      sql<string>`ticket.state_changed_at::text`.as('stateChangedAt'),
      sql<string | null>`ticket.resolved_at::text`.as('resolvedAt'),
      sql<string[]>`ARRAY(
        SELECT tag.name FROM ticket_tag JOIN tag ON tag.id = ticket_tag.tag_id
        WHERE ticket_tag.ticket_id = ticket.id ORDER BY ticket_tag.position LIMIT ${sql.lit(2 * MAX_TAGS + 1)}
      )`.as('tags'),
    ])
    .orderBy('ticket.number')
    .forUpdate('ticket')
    .execute()
  return new Map(rows.map((row) => [row.number, row]))
}

/** Changes the requests one by one; a failure of one leaves the others alone. */
async function each(
  numbers: readonly number[],
  found: ReadonlyMap<number, Found>,
  change: (request: Found) => Promise<'changed' | 'unchanged'>,
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = []
  for (const number of numbers) {
    try {
      const request = found.get(number)
      if (!request) throw noRequest(number)
      outcomes.push({ number, outcome: await change(request), message: null })
    } catch (error) {
      // A failure is found before anything is written. Any other error ends the transaction.
      if (!(error instanceof Failure)) throw error
      outcomes.push({ number, outcome: 'failed', message: error.message })
    }
  }
  return outcomes
}

/** The values that a request has after a change. */
function wanted(before: Found, { addTags, removeTags, ...changes }: RequestChanges): Partial<Values> {
  const { state, priority, assignee } = changes
  const values: Partial<Values> = {
    ...(state !== undefined && { state }),
    ...(priority !== undefined && { priority }),
    ...(assignee !== undefined && { assignee }),
  }
  if (!addTags && !removeTags) return values
  const removed = new Set((removeTags ?? []).map((tag) => tag.trim()))
  const added = (addTags ?? []).map((tag) => tag.trim())
  const tags = [...new Set([...before.tags.filter((tag) => !removed.has(tag)), ...added])]
  if (tags.length > MAX_TAGS) {
    throw new Failure('invalid', `request ${before.number} would have more than ${MAX_TAGS} tags; remove some first`)
  }
  return { ...values, tags }
}

/** Those of the values that a request does not have. */
function differences(now: Values, values: Partial<Values>): Partial<Values> {
  const { state, priority, assignee, tags } = values
  return {
    ...(state !== undefined && state !== now.state && { state }),
    ...(priority !== undefined && priority !== now.priority && { priority }),
    ...(assignee !== undefined && !isSamePerson(assignee, now.assignee) && { assignee }),
    ...(tags !== undefined && JSON.stringify(tags) !== JSON.stringify(now.tags) && { tags }),
  }
}

const isSamePerson = (one: string | null, other: string | null) => one === other || isSameEmail(one, other)

async function restore(tx: Db, { siteId, at, by }: Bulk, { before, after }: Changed): Promise<void> {
  const names = Object.keys(after) as (keyof Values)[]
  const details = Object.fromEntries(names.map((name) => [name, before[name]])) as RequestDetails
  await createChangeStore(tx).change({ siteId, number: before.number }, details, { at, by })
  if (after.state === undefined) return
  await tx
    .updateTable('ticket')
    .set({
      state_changed_at: sql<Date>`${before.stateChangedAt}::timestamptz`,
      resolved_at: sql<Date | null>`${before.resolvedAt}::timestamptz`,
    })
    .where('site_id', '=', siteId)
    .where('number', '=', before.number)
    .execute()
}

async function keepUndo(tx: Db, { siteId, caller, at }: Bulk, changed: readonly Changed[]): Promise<string | null> {
  await tx
    .deleteFrom('request_undo')
    .where('at', '<', new Date(at.getTime() - UNDO_MS))
    .execute()
  if (changed.length === 0) return null
  const id = newId('undo')
  await tx
    .insertInto('request_undo')
    .values({ id, site_id: siteId, caller, at, items: JSON.stringify(changed) })
    .execute()
  return id
}

async function takeUndo(tx: Db, { siteId, caller, at }: Bulk, id: string): Promise<readonly Changed[]> {
  const taken = await tx
    .deleteFrom('request_undo')
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .where('caller', '=', caller)
    .where('at', '>=', new Date(at.getTime() - UNDO_MS))
    .returning('items')
    .executeTakeFirst()
  if (taken) return taken.items as readonly Changed[]
  throw new Failure('notFound', 'this change can no longer be undone: change the requests again instead')
}
