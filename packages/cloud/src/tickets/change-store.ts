import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { Person, TicketState } from '@plantroom/contract/tickets'
import type { Db } from '../db/database.ts'
import { findOrAddTags, findPerson, findUnitId, takeNumber } from './named-store.ts'
import { changeState } from './state-change.ts'
import { noTicket } from './ticket-number.ts'

/** What can be said of a request; what is not said stays. People are named by address, units and tags by name. */
export interface TicketDetails {
  title?: string
  description?: string | null
  notes?: string | null
  resolutionSummary?: string | null
  state?: TicketState
  priority?: number | null
  language?: string | null
  scope?: string | null
  safetyHazard?: boolean | null
  assignee?: string | null
  supervisor?: string | null
  watchers?: readonly string[]
  unit?: string | null
  tags?: readonly string[]
}

export interface NewTicket extends TicketDetails {
  title: string
  reporter: Person | null
}

export type ChangeStore = ReturnType<typeof createChangeStore>

/** Rejects with `invalid` when a person or a unit is named that the site does not have: then nothing is changed. */
export function createChangeStore(db: Db) {
  return {
    /** Gives the request its number. */
    add: (siteId: string, ticket: NewTicket, at: Date): Promise<number> =>
      db.transaction().execute(async (tx) => {
        const { reporter, ...details } = ticket
        const linked = reporter?.email ? await findPerson(tx, siteId, reporter.email) : undefined
        const named = await findNamed(tx, siteId, details)
        const id = newId('ticket')
        const begun = { state: 'new' as const, stateChangedAt: at, resolvedAt: null }
        // Last, as everyone else who adds one waits from here on.
        const number = await takeNumber(tx, siteId)
        await tx
          .insertInto('ticket')
          .values({
            id,
            site_id: siteId,
            number,
            // It has no other, and keeps it when it is exported.
            external_id: id,
            title: ticket.title,
            ...NOTHING_SAID,
            ...plainColumns(details),
            ...named.columns,
            ...stateColumns(changeState(begun, details.state ?? 'new', at)),
            reporter_id: linked?.id ?? null,
            reporter_email: reporter?.email ?? null,
            reporter_name: reporter?.name ?? null,
            reporter_phone: reporter?.phone ?? null,
            created_at: at,
            updated_at: at,
          })
          .execute()
        await putLists(tx, id, named)
        return number
      }),

    /** Rejects with `notFound` when the site has no such request. */
    change: (siteId: string, number: number, details: TicketDetails, at: Date): Promise<void> =>
      db.transaction().execute(async (tx) => {
        // Before the request is locked: who removes a person has locked that, and waits for the requests that name it.
        const named = await findNamed(tx, siteId, details)
        const before = await tx
          .selectFrom('ticket')
          .where('site_id', '=', siteId)
          .where('number', '=', number)
          .select(['id', 'state', 'state_changed_at as stateChangedAt', 'resolved_at as resolvedAt'])
          .forUpdate()
          .executeTakeFirst()
        if (!before) throw noTicket(number)
        await tx
          .updateTable('ticket')
          .set({
            ...plainColumns(details),
            ...named.columns,
            ...stateColumns(changeState(before, details.state ?? before.state, at)),
            updated_at: at,
          })
          .where('id', '=', before.id)
          .execute()
        await putLists(tx, before.id, named)
      }),
  }
}

const NOTHING_SAID = {
  description: null,
  notes: null,
  resolution_summary: null,
  priority: null,
  language: null,
  tone: null,
  scope: null,
  safety_hazard: null,
  assignee_id: null,
  supervisor_id: null,
  unit_id: null,
  feedback: null,
  feedback_text: null,
  job_id: null,
  job_position: null,
}

function plainColumns(details: TicketDetails) {
  const { title, description, notes, resolutionSummary, priority, language, scope, safetyHazard } = details
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(notes !== undefined && { notes }),
    ...(resolutionSummary !== undefined && { resolution_summary: resolutionSummary }),
    ...(priority !== undefined && { priority }),
    ...(language !== undefined && { language }),
    ...(scope !== undefined && { scope }),
    ...(safetyHazard !== undefined && { safety_hazard: safetyHazard }),
  }
}

function stateColumns({ state, stateChangedAt, resolvedAt }: ReturnType<typeof changeState>) {
  return { state, state_changed_at: stateChangedAt, resolved_at: resolvedAt }
}

/** Whom and what a request names, by id. Tags come last: only those are created. */
async function findNamed(tx: Db, siteId: string, { assignee, supervisor, unit, watchers, tags }: TicketDetails) {
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

async function putLists(tx: Db, ticketId: string, { tagIds, watcherIds }: Named): Promise<void> {
  if (tagIds) {
    await tx.deleteFrom('ticket_tag').where('ticket_id', '=', ticketId).execute()
    const rows = tagIds.map((tag_id, position) => ({ ticket_id: ticketId, position, tag_id }))
    if (rows.length > 0) await tx.insertInto('ticket_tag').values(rows).execute()
  }
  if (watcherIds) {
    await tx.deleteFrom('ticket_watcher').where('ticket_id', '=', ticketId).execute()
    const rows = [...watcherIds].map((person_id, position) => ({ ticket_id: ticketId, position, person_id }))
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
    `${field}: nobody of this site has the address ${shown(email)}; add them to its people first`,
    field,
  )
}

async function unitId(tx: Db, siteId: string, name: string | null): Promise<string | null> {
  if (name === null) return null
  const id = await findUnitId(tx, siteId, name)
  if (id !== undefined) return id
  throw new Failure('invalid', `unit: this site has no unit "${shown(name.trim())}"; add it to its units first`, 'unit')
}
