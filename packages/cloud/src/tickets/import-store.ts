import { newId } from '@plantroom/base/ids'
import type { TicketState } from '@plantroom/contract/tickets'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A request that is to be there whole: with all of its parts, or not at all. Times are text that the database reads. */
export interface NewTicket {
  id: string
  externalId: string
  title: string
  state: TicketState
  description: string | null
  notes: string | null
  resolutionSummary: string | null
  priority: number | null
  language: string | null
  tone: string | null
  scope: string | null
  safetyHazard: boolean | null
  reporter: NewPerson
  assigneeId: string | null
  supervisorId: string | null
  unitId: string | null
  ccEmails: readonly string[]
  feedback: number | null
  feedbackText: string | null
  createdAt: string
  updatedAt: string | null
  resolvedAt: string | null
  stateChangedAt: string
  /** Where it stands in its package. */
  jobPosition: number
  watcherIds: readonly string[]
  tags: readonly string[]
  comments: readonly NewComment[]
  attachments: readonly NewAttachment[]
}

/** Somebody of the site, or only what was said of them. */
export interface NewPerson {
  id: string | null
  email: string | null
  name: string | null
  phone: string | null
}

export interface NewComment {
  content: string
  author: NewPerson
  createdAt: string | null
  attachments: readonly NewAttachment[]
}

export interface NewAttachment {
  name: string
  contentType: string | null
  size: number
  sha256: Buffer
}

/** Nobody else gives numbers on this site before the transaction ends. Returns the last one that was given. */
export async function lockNumbers(trx: Db, siteId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    INSERT INTO ticket_number AS numbers (site_id, last) VALUES (${siteId}, 0)
    ON CONFLICT (site_id) DO UPDATE SET last = numbers.last
    RETURNING last`.execute(trx)
  return rows[0]?.last ?? 0
}

/**
 * Adds the requests whose externalId is not on the site, in order, with the numbers after `last`; the parts of those only.
 * Returns the ids of those that were added. For a transaction that holds the lock on numbers.
 */
export async function insertTickets(
  trx: Db,
  { siteId, jobId, last }: { siteId: string; jobId: string; last: number },
  tickets: readonly NewTicket[],
): Promise<ReadonlySet<string>> {
  if (tickets.length === 0) return new Set()
  const column = <Value>(of: (ticket: NewTicket) => Value) => tickets.map(of)
  const { rows } = await sql<{ id: string; number: number }>`
    INSERT INTO ticket (
      site_id, job_id, number, id, external_id, title, state, description, notes, resolution_summary, priority, language,
      tone, scope, safety_hazard, reporter_id, reporter_email, reporter_name, reporter_phone, assignee_id, supervisor_id,
      unit_id, cc_emails, feedback, feedback_text, created_at, updated_at, resolved_at, state_changed_at, job_position
    )
    SELECT ${siteId}, ${jobId}, ${last}::integer + place::integer, id, external_id, title, state, description, notes,
      resolution_summary, priority, language, tone, scope, safety_hazard, reporter_id, reporter_email, reporter_name,
      reporter_phone, assignee_id, supervisor_id, unit_id, cc_emails::text[], feedback, feedback_text, created_at,
      updated_at, resolved_at, state_changed_at, job_position
    FROM unnest(
      ${column(({ id }) => id)}::text[],
      ${column(({ externalId }) => externalId)}::text[],
      ${column(({ title }) => title)}::text[],
      ${column(({ state }) => state)}::text[],
      ${column(({ description }) => description)}::text[],
      ${column(({ notes }) => notes)}::text[],
      ${column(({ resolutionSummary }) => resolutionSummary)}::text[],
      ${column(({ priority }) => priority)}::smallint[],
      ${column(({ language }) => language)}::text[],
      ${column(({ tone }) => tone)}::text[],
      ${column(({ scope }) => scope)}::text[],
      ${column(({ safetyHazard }) => safetyHazard)}::boolean[],
      ${column(({ reporter }) => reporter.id)}::text[],
      ${column(({ reporter }) => reporter.email)}::text[],
      ${column(({ reporter }) => reporter.name)}::text[],
      ${column(({ reporter }) => reporter.phone)}::text[],
      ${column(({ assigneeId }) => assigneeId)}::text[],
      ${column(({ supervisorId }) => supervisorId)}::text[],
      ${column(({ unitId }) => unitId)}::text[],
      ${column(({ ccEmails }) => arrayLiteral(ccEmails))}::text[],
      ${column(({ feedback }) => feedback)}::double precision[],
      ${column(({ feedbackText }) => feedbackText)}::text[],
      ${column(({ createdAt }) => createdAt)}::timestamptz[],
      ${column(({ updatedAt }) => updatedAt)}::timestamptz[],
      ${column(({ resolvedAt }) => resolvedAt)}::timestamptz[],
      ${column(({ stateChangedAt }) => stateChangedAt)}::timestamptz[],
      ${column(({ jobPosition }) => jobPosition)}::integer[]
    ) WITH ORDINALITY AS new (
      id, external_id, title, state, description, notes, resolution_summary, priority, language, tone, scope, safety_hazard,
      reporter_id, reporter_email, reporter_name, reporter_phone, assignee_id, supervisor_id, unit_id, cc_emails, feedback,
      feedback_text, created_at, updated_at, resolved_at, state_changed_at, job_position, place
    )
    ORDER BY place
    ON CONFLICT (site_id, external_id) DO NOTHING
    RETURNING id, number`.execute(trx)
  if (rows.length === 0) return new Set()
  const highest = rows.reduce((most, { number }) => Math.max(most, number), last)
  await trx.updateTable('ticket_number').set({ last: highest }).where('site_id', '=', siteId).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Makes the tags that are missing. `known` are ids by name; returns the ids of all, and the names of those that it made. */
export async function insertTags(
  trx: Db,
  siteId: string,
  names: readonly string[],
  known: ReadonlyMap<string, string>,
): Promise<{ ids: ReadonlyMap<string, string>; made: ReadonlySet<string> }> {
  const ids = new Map(known)
  const missing = names.filter((name) => !known.has(name))
  if (missing.length === 0) return { ids, made: new Set() }
  const { rows: made } = await sql<{ id: string; name: string }>`
    INSERT INTO tag (site_id, id, name)
    SELECT ${siteId}, id, name FROM unnest(${missing.map(() => newId('tag'))}::text[], ${missing}::text[]) AS new (id, name)
    ON CONFLICT (site_id, name) DO NOTHING
    RETURNING id, name`.execute(trx)
  for (const { id, name } of made) ids.set(name, id)
  // Those that somebody else made in the same moment.
  const others = missing.filter((name) => !ids.has(name))
  if (others.length > 0) {
    const rows = await trx
      .selectFrom('tag')
      .where('site_id', '=', siteId)
      .where('name', 'in', others)
      .select(['id', 'name'])
      .execute()
    for (const { id, name } of rows) ids.set(name, id)
  }
  return { ids, made: new Set(made.map(({ name }) => name)) }
}

/** The comments, attachments, tags and watchers of requests that were added. */
export async function insertParts(
  trx: Db,
  tickets: readonly NewTicket[],
  tagIds: ReadonlyMap<string, string>,
): Promise<void> {
  const comments = tickets.flatMap(({ id, comments }) =>
    comments.map((comment, position) => ({ ticketId: id, position, ...comment })),
  )
  if (comments.length > 0) await insertComments(trx, comments)
  const attachments = [
    ...tickets.flatMap(({ id, attachments }) => placed(id, null, attachments)),
    ...comments.flatMap(({ ticketId, position, attachments }) => placed(ticketId, position, attachments)),
  ]
  if (attachments.length > 0) await insertAttachments(trx, attachments)
  const tags = tickets.flatMap(({ id, tags }) =>
    tags.map((name, position) => ({ id, position, tag: tagIds.get(name) })),
  )
  if (tags.length > 0) {
    await sql`
      INSERT INTO ticket_tag (ticket_id, position, tag_id)
      SELECT * FROM unnest(
        ${tags.map(({ id }) => id)}::text[], ${tags.map(({ position }) => position)}::integer[], ${tags.map(({ tag }) => tag)}::text[]
      )`.execute(trx)
  }
  const watchers = tickets.flatMap(({ id, watcherIds }) =>
    watcherIds.map((personId, position) => ({ id, position, personId })),
  )
  if (watchers.length > 0) {
    await sql`
      INSERT INTO ticket_watcher (ticket_id, position, person_id)
      SELECT * FROM unnest(
        ${watchers.map(({ id }) => id)}::text[], ${watchers.map(({ position }) => position)}::integer[],
        ${watchers.map(({ personId }) => personId)}::text[]
      )`.execute(trx)
  }
}

async function insertComments(
  trx: Db,
  comments: readonly (NewComment & { ticketId: string; position: number })[],
): Promise<void> {
  await sql`
    INSERT INTO ticket_comment (
      ticket_id, position, content, author_id, author_email, author_name, author_phone, created_at
    )
    SELECT * FROM unnest(
      ${comments.map(({ ticketId }) => ticketId)}::text[],
      ${comments.map(({ position }) => position)}::integer[],
      ${comments.map(({ content }) => content)}::text[],
      ${comments.map(({ author }) => author.id)}::text[],
      ${comments.map(({ author }) => author.email)}::text[],
      ${comments.map(({ author }) => author.name)}::text[],
      ${comments.map(({ author }) => author.phone)}::text[],
      ${comments.map(({ createdAt }) => createdAt)}::timestamptz[]
    )`.execute(trx)
}

type PlacedAttachment = NewAttachment & { ticketId: string; commentPosition: number | null; position: number }

function placed(
  ticketId: string,
  commentPosition: number | null,
  attachments: readonly NewAttachment[],
): PlacedAttachment[] {
  return attachments.map((attachment, position) => ({ ticketId, commentPosition, position, ...attachment }))
}

async function insertAttachments(trx: Db, attachments: readonly PlacedAttachment[]): Promise<void> {
  await sql`
    INSERT INTO ticket_attachment (id, ticket_id, comment_position, position, name, content_type, size, sha256)
    SELECT * FROM unnest(
      ${attachments.map(() => newId('att'))}::text[],
      ${attachments.map(({ ticketId }) => ticketId)}::text[],
      ${attachments.map(({ commentPosition }) => commentPosition)}::integer[],
      ${attachments.map(({ position }) => position)}::integer[],
      ${attachments.map(({ name }) => name)}::text[],
      ${attachments.map(({ contentType }) => contentType)}::text[],
      ${attachments.map(({ size }) => size)}::bigint[],
      ${attachments.map(({ sha256 }) => sha256)}::bytea[]
    )`.execute(trx)
}

/** Arrays of arrays must have the same length each; as text they need not. */
function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
