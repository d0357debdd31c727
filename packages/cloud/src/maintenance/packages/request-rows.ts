import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  type ColumnFieldValues,
  columnField,
} from '@plantroom/contract/request-fields'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { ManifestAttachment, ManifestPerson } from '@plantroom/fpl/manifest'
import type { ManifestRequest, PlacedRequest } from '@plantroom/fpl/read-requests'
import { emptyValues, type ImportedPerson, type ImportedRequest, type NewAttachment } from '../requests/index.ts'
import type { Extracted } from './extract.ts'
import type { Links } from './plan.ts'

/** Fields that a request keeps exactly as the manifest has them. */
type CopiedField = Exclude<ColumnFieldName, 'number' | 'createdAt' | 'updatedAt' | 'resolvedAt' | 'stateChangedAt'>
const COPIED_FIELDS = COLUMN_FIELD_NAMES.filter(
  (name): name is CopiedField => name !== 'number' && columnField(name).type !== 'timestamptz',
)

/** Converts a request of a package into the rows of the site. `importedAt` is the creation time of requests without one. */
export function requestRow(
  { index, request }: PlacedRequest,
  links: Links,
  { id, importedAt, fileOf }: { id: string; importedAt: string } & Extracted,
): ImportedRequest {
  const createdAt = timeOf(request.createdAt) ?? importedAt
  const updatedAt = timeOf(request.updatedAt)
  const stateChangedAt = timeOf(request.stateChangedAt) ?? updatedAt ?? createdAt
  const isDone = request.state === 'resolved' || request.state === 'closed'
  const attachment = (each: ManifestAttachment) => attachmentRow(each, fileOf)
  return {
    ...copiedValues(request),
    id,
    reporter: personRow(request.reporter, links.reporterId),
    assigneeId: links.assigneeId,
    supervisorId: links.supervisorId,
    unitId: links.unitId,
    createdAt,
    updatedAt,
    resolvedAt: timeOf(request.resolvedAt) ?? (isDone ? stateChangedAt : null),
    stateChangedAt,
    jobPosition: index,
    watcherIds: links.watcherIds,
    tagIds: links.tagIds,
    comments: (request.comments ?? []).map((comment, place) => ({
      content: comment.content,
      author: personRow(comment.author, links.authorIds[place] ?? null),
      createdAt: timeOf(comment.createdAt),
      attachments: (comment.attachments ?? []).map(attachment),
    })),
    attachments: (request.attachments ?? []).map(attachment),
  }
}

function copiedValues(request: ManifestRequest): Pick<ColumnFieldValues, CopiedField> {
  const given = Object.fromEntries(
    COPIED_FIELDS.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  )
  const { externalId, title, state } = request
  return { ...emptyValues(), externalId, title, state, ...given }
}

/** Combines the text of the package with the id of the matching person of the site. */
function personRow(person: ManifestPerson | null | undefined, id: string | null): ImportedPerson {
  return { id, email: person?.email ?? null, name: person?.name ?? null, phone: person?.phone ?? null }
}

function attachmentRow({ path, name, contentType }: ManifestAttachment, fileOf: Extracted['fileOf']): NewAttachment {
  return { name: name ?? path.slice(path.lastIndexOf('/') + 1), contentType: contentType ?? null, ...fileOf(path) }
}

const DATABASE_TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

/** Converts a time of a manifest to text that the database reads, precise to the millisecond. */
function timeOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  // Most times have this form, and parsing them would take as long as the rest of the row.
  if (DATABASE_TIME.test(text)) return text
  const ms = parseTimestamp(text)
  if (ms === undefined) throw new Error(`the checker accepted ${text}, which is not a date-time`)
  const written = new Date(ms).toISOString()
  // RFC 3339 calls the year before 0001 0000; the database calls it 1 BC.
  return written.startsWith('0000') ? `0001${written.slice(4)} BC` : written
}
