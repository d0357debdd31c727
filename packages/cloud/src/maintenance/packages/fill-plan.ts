import { isSameEmail } from '@plantroom/contract/fold-email'
import type { HistoryField } from '@plantroom/contract/tickets'
import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import { FILLABLE_COLUMNS, type Fill, type FillableRequest, type RecordedChange } from '../requests/index.ts'
import type { KnownNames, Links, Match } from './plan.ts'
import { linkRequest, tagsOf, unitOf } from './plan.ts'

/**
 * Returns the part of a request in a package that may be filled: what is empty on the site, was never edited there, and has
 * a value in the package. Names that are not in it are neither looked up nor created.
 */
export function fillablePart(request: ManifestRequest, found: FillableRequest): ManifestRequest {
  const { externalId, title, state, reporter, comments = [] } = request
  const part: Record<string, unknown> = { externalId, title, state }
  for (const name of [...FILLABLE_COLUMNS, 'assignee', 'supervisor', 'unit', 'watchers', 'tags'] as const) {
    if (found.empty.has(name) && hasValue(request[name])) part[name] = request[name]
  }
  const isTheReporter = isSameEmail(reporter?.email, found.reporterEmail)
  if (reporter && (found.empty.has('reporter') || isTheReporter)) part.reporter = reporter
  part.comments = comments.map(({ content, author }, position) => ({
    content,
    ...(isSameEmail(author?.email, found.authorEmails.get(position)) && { author }),
  }))
  return part as unknown as ManifestRequest
}

const hasValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'string' ? value.trim() !== '' : value != null

/** What is set in a request, and the names of the fields in the order of the manifest. */
export interface PlannedFill {
  number: number
  fill: Fill
  fields: readonly HistoryField[]
}

/** Decides what is set in a request, given its fillable part and the names that it refers to. Undefined for nothing. */
export function planFill(part: ManifestRequest, found: FillableRequest, known: KnownNames): PlannedFill | undefined {
  const links = linkRequest(part, known)
  const columns = Object.fromEntries(
    FILLABLE_COLUMNS.flatMap((name) => (hasValue(part[name]) ? [[name, part[name]]] : [])),
  )
  const fill: Fill = {
    id: found.id,
    columns,
    assigneeId: links.assigneeId ?? undefined,
    supervisorId: links.supervisorId ?? undefined,
    unitId: links.unitId ?? undefined,
    reporter: reporterOf(part, found, links),
    watcherIds: links.watcherIds,
    tagIds: links.tagIds,
    authors: links.authorIds.flatMap((personId, position) => (personId === null ? [] : [{ position, personId }])),
  }
  const fields: HistoryField[] = [
    ...FILLABLE_COLUMNS.filter((name) => name in columns),
    ...(fill.reporter ? ['reporter' as const] : []),
    ...(fill.assigneeId === undefined ? [] : ['assignee' as const]),
    ...(fill.supervisorId === undefined ? [] : ['supervisor' as const]),
    ...(fill.watcherIds.length > 0 ? ['watchers' as const] : []),
    ...(fill.unitId === undefined ? [] : ['unit' as const]),
    ...(fill.tagIds.length > 0 ? ['tags' as const] : []),
    ...(fill.authors.length > 0 ? ['comments' as const] : []),
  ]
  return fields.length === 0 ? undefined : { number: found.number, fill, fields }
}

/** A reporter whom the request already names only gets a link. */
function reporterOf({ reporter }: ManifestRequest, found: FillableRequest, { reporterId }: Links): Fill['reporter'] {
  if (!reporter) return undefined
  if (!found.empty.has('reporter')) {
    return reporterId === null ? undefined : { id: reporterId, email: null, name: null, phone: null }
  }
  const { email = null, name = null, phone = null } = reporter
  return { id: reporterId, email, name, phone }
}

/** Returns the entries of a fill in the history of its request. Reporters and authors are not repeated there. */
export function changesOf({ fill, fields }: PlannedFill, part: ManifestRequest, known: KnownNames): RecordedChange[] {
  const unit = unitOf(part) ?? ''
  const tags = tagsOf(part).flatMap((tag) => known.tags.get(tag) ?? [])
  const after: Partial<Record<HistoryField, readonly string[]>> = {
    assignee: fill.assigneeId === undefined ? [] : [fill.assigneeId],
    supervisor: fill.supervisorId === undefined ? [] : [fill.supervisorId],
    watchers: fill.watcherIds,
    unit: [known.units.get(unit)?.name ?? unit],
    tags: [...new Set(tags.flatMap(({ id, name }) => (id === null ? [] : [name])))],
    reporter: [],
    comments: [],
  }
  const valuesOf = (field: HistoryField) => after[field] ?? [part[field as keyof ManifestRequest]].flat().map(String)
  return fields.map((field) => ({
    requestId: fill.id,
    kind: 'filled',
    field,
    before: [],
    after: valuesOf(field),
  }))
}

/** For a preview, which creates nothing: gives what would be created an id that nobody has. */
export function withFutureIds(known: KnownNames): KnownNames {
  const willExist = ({ outcome }: Match, member: string | null = null) => member !== null || outcome === 'created'
  const of = <One extends Match & { member?: string | null; key?: string }>(map: ReadonlyMap<string, One>) =>
    new Map(
      [...map].map(([name, match]) => [
        name,
        match.id === null && willExist(match, match.member)
          ? { ...match, id: `new ${match.member ?? match.key ?? name}` }
          : match,
      ]),
    )
  return { people: of(known.people), units: of(known.units), tags: of(known.tags) }
}
