import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { NewAttachment, NewPerson, NewTicket } from '../tickets/import-store.ts'
import type { Extracted } from './extract.ts'
import type { ManifestAttachment, ManifestPerson, PlacedTicket } from './manifest-ticket.ts'
import type { Links } from './plan.ts'

/** What the site keeps of a request of a package. `importedAt` is the time of one that has none. */
export function ticketRow(
  { index, ticket }: PlacedTicket,
  links: Links,
  { id, importedAt, fileOf }: { id: string; importedAt: string } & Extracted,
): NewTicket {
  const createdAt = timeOf(ticket.createdAt) ?? importedAt
  const updatedAt = timeOf(ticket.updatedAt)
  const stateChangedAt = timeOf(ticket.stateChangedAt) ?? updatedAt ?? createdAt
  const isDone = ticket.state === 'resolved' || ticket.state === 'closed'
  const attachment = (each: ManifestAttachment) => attachmentRow(each, fileOf)
  return {
    id,
    externalId: ticket.externalId,
    title: ticket.title,
    state: ticket.state,
    description: ticket.description ?? null,
    notes: ticket.notes ?? null,
    resolutionSummary: ticket.resolutionSummary ?? null,
    priority: ticket.priority ?? null,
    language: ticket.language ?? null,
    tone: ticket.tone ?? null,
    scope: ticket.scope ?? null,
    safetyHazard: ticket.safetyHazard ?? null,
    reporter: personRow(ticket.reporter, links.reporterId),
    assigneeId: links.assigneeId,
    supervisorId: links.supervisorId,
    unitId: links.unitId,
    ccEmails: ticket.ccEmails ?? [],
    feedback: ticket.feedback ?? null,
    feedbackText: ticket.feedbackText ?? null,
    createdAt,
    updatedAt,
    resolvedAt: timeOf(ticket.resolvedAt) ?? (isDone ? stateChangedAt : null),
    stateChangedAt,
    jobPosition: index,
    watcherIds: links.watcherIds,
    tags: links.tags,
    comments: (ticket.comments ?? []).map((comment, place) => ({
      content: comment.content,
      author: personRow(comment.author, links.authorIds[place] ?? null),
      createdAt: timeOf(comment.createdAt),
      attachments: (comment.attachments ?? []).map(attachment),
    })),
    attachments: (ticket.attachments ?? []).map(attachment),
  }
}

/** The person of the site, and beside it what the package says. */
function personRow(person: ManifestPerson | null | undefined, id: string | null): NewPerson {
  return { id, email: person?.email ?? null, name: person?.name ?? null, phone: person?.phone ?? null }
}

function attachmentRow({ path, name, contentType }: ManifestAttachment, fileOf: Extracted['fileOf']): NewAttachment {
  return { name: name ?? path.slice(path.lastIndexOf('/') + 1), contentType: contentType ?? null, ...fileOf(path) }
}

const AS_THE_DATABASE_READS_IT = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

/** A time of a manifest, to the millisecond, as the database reads it. */
function timeOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  // Most are written so, and to parse them takes as long as the rest of the row.
  if (AS_THE_DATABASE_READS_IT.test(text)) return text
  const ms = parseTimestamp(text)
  if (ms === undefined) throw new Error(`${text} was a date-time when it was checked`)
  const written = new Date(ms).toISOString()
  // The year before the first is 0000 to RFC 3339, and 1 BC to the database.
  return written.startsWith('0000') ? `0001${written.slice(4)} BC` : written
}
