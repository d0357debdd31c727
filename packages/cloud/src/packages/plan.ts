import type { ManifestAttachment } from '@plantroom/fpl/manifest'
import type { ManifestRequest, PlacedRequest } from './read-requests.ts'

/** Roles in which an unknown email is skipped. */
type SkippedRole = 'assignee' | 'supervisor' | 'watcher'

/** Something an import would create, leave empty or skip. */
export interface Finding {
  readonly kind: 'tag' | 'unit' | 'email'
  /** Findings of one kind with equal keys are the same. */
  readonly key: string
  readonly value: string
  readonly roles: readonly SkippedRole[]
  /** Orders findings by appearance in the package. */
  readonly position: number
}

interface PersonMatch {
  /** Null when no person of the site has this email. */
  readonly id: string | null
  /** The email as the database compares it. */
  readonly key: string
}

/** What the site already has. */
export interface Known {
  /** By externalId: the job that created the request, or null. */
  readonly requests: ReadonlyMap<string, string | null>
  /** By email as the package writes it. */
  readonly people: ReadonlyMap<string, PersonMatch>
  /** Ids by name. */
  readonly units: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, string>
}

/**
 * What happens to a request. `create`: it is new. `created`: an earlier attempt of this job created it. `skip`: it was on
 * the site before.
 */
interface PlannedRequest extends PlacedRequest {
  readonly outcome: 'create' | 'created' | 'skip'
  readonly comments: number
  readonly attachments: number
}

/** Ids that a new request refers to. */
export interface Links {
  readonly reporterId: string | null
  readonly assigneeId: string | null
  readonly supervisorId: string | null
  readonly watcherIds: readonly string[]
  readonly authorIds: readonly (string | null)[]
  readonly unitId: string | null
  /** Names without duplicates. */
  readonly tags: readonly string[]
}

// More than the number of values in one request, so that the positions of two requests never overlap.
const POSITIONS = 262_144

/** Decides what happens to each request, for both preview and import. */
export function planRequests(
  requests: readonly PlacedRequest[],
  existing: Known['requests'],
  jobId: string,
): readonly PlannedRequest[] {
  return requests.map(({ index, request }) => {
    const creator = existing.get(request.externalId)
    const outcome = creator === undefined ? 'create' : creator === jobId ? 'created' : 'skip'
    return {
      index,
      request,
      outcome,
      comments: request.comments?.length ?? 0,
      attachments: attachmentsOf(request).length,
    }
  })
}

/** Resolves the people and the unit of a new request. */
export function linkRequest(request: ManifestRequest, known: Omit<Known, 'requests'>): Links {
  const idOf = (email: string | null | undefined) => (email ? (known.people.get(email)?.id ?? null) : null)
  const watchers = (request.watchers ?? []).map(idOf).filter((id) => id !== null)
  const unit = unitOf(request)
  return {
    reporterId: idOf(request.reporter?.email),
    assigneeId: idOf(request.assignee),
    supervisorId: idOf(request.supervisor),
    watcherIds: [...new Set(watchers)],
    authorIds: (request.comments ?? []).map(({ author }) => idOf(author?.email)),
    unitId: unit === undefined ? null : (known.units.get(unit) ?? null),
    tags: tagsOf(request),
  }
}

/** Returns the findings of a new request: tags to create, an unknown unit, unknown people. */
export function findingsOf({ index, request }: PlacedRequest, known: Omit<Known, 'requests'>): readonly Finding[] {
  const found: Omit<Finding, 'position'>[] = []
  const skipped = (email: string | null | undefined, role: SkippedRole) => {
    const match = email ? known.people.get(email) : undefined
    if (email && match?.id === null) found.push({ kind: 'email', key: match.key, value: email, roles: [role] })
  }
  skipped(request.assignee, 'assignee')
  skipped(request.supervisor, 'supervisor')
  for (const watcher of request.watchers ?? []) skipped(watcher, 'watcher')
  const unit = unitOf(request)
  if (unit !== undefined && !known.units.has(unit)) found.push({ kind: 'unit', key: unit, value: unit, roles: [] })
  for (const tag of tagsOf(request)) {
    if (!known.tags.has(tag)) found.push({ kind: 'tag', key: tag, value: tag, roles: [] })
  }
  return found.map((finding, place) => ({ ...finding, position: index * POSITIONS + place }))
}

/** Merges equal findings: the position of the first, the roles of all. */
export function mergeFindings(findings: Iterable<Finding>): readonly Finding[] {
  const merged = new Map<string, Finding>()
  for (const finding of findings) {
    const id = `${finding.kind} ${finding.key}`
    const earlier = merged.get(id)
    if (!earlier) merged.set(id, finding)
    else if (!finding.roles.every((role) => earlier.roles.includes(role))) {
      merged.set(id, { ...earlier, roles: [...new Set([...earlier.roles, ...finding.roles])].sort() })
    }
  }
  return [...merged.values()]
}

/** Collects the emails, units and tags to look up. */
export function namesIn(requests: Iterable<ManifestRequest>): { emails: string[]; units: string[]; tags: string[] } {
  const [emails, units, tags] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const request of requests) {
    const { assignee, supervisor, reporter, watchers = [], comments = [] } = request
    const authors = comments.map(({ author }) => author?.email)
    for (const email of [assignee, supervisor, reporter?.email, ...watchers, ...authors]) if (email) emails.add(email)
    const unit = unitOf(request)
    if (unit !== undefined) units.add(unit)
    for (const tag of tagsOf(request)) tags.add(tag)
  }
  return { emails: [...emails], units: [...units], tags: [...tags] }
}

/** Returns the attachments of a request and of all its comments. */
export function attachmentsOf({ attachments = [], comments = [] }: ManifestRequest): readonly ManifestAttachment[] {
  return [...attachments, ...comments.flatMap((comment) => comment.attachments ?? [])]
}

/** A blank name means no unit. */
function unitOf({ unit }: ManifestRequest): string | undefined {
  return unit?.trim() || undefined
}

function tagsOf({ tags = [] }: ManifestRequest): readonly string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}
