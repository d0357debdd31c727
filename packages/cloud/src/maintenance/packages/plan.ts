import { foldEmail } from '@plantroom/contract/fold-email'
import { LIMITS } from '@plantroom/fpl/limits'
import type { ManifestAttachment } from '@plantroom/fpl/manifest'
import type { ManifestRequest, PlacedRequest } from '@plantroom/fpl/read-requests'
import type { Outcome } from './choices.ts'

/** Roles in which an unknown email is skipped. */
type SkippedRole = 'assignee' | 'supervisor' | 'watcher'

/** A name in a package that the site lacks. */
export interface Finding {
  readonly kind: 'tag' | 'unit' | 'email'
  /** Findings of one kind with equal keys are the same. */
  readonly key: string
  readonly value: string
  readonly roles: readonly SkippedRole[]
  readonly outcome: Outcome
  /** Orders findings by appearance in the package. */
  readonly position: number
}

/** What a name stands for on the site: something that it has (`known`), or what becomes of a name that it lacks. */
export interface Match {
  /** Null for what is left, and for what is not created yet. */
  readonly id: string | null
  readonly outcome: 'known' | Outcome
}

/** A unit or a tag, with its name on the site. */
export interface LabelMatch extends Match {
  readonly name: string
}

export interface PersonMatch extends Match {
  /** By which emails are compared. */
  readonly key: string
  /** The email of a member of the site who has no row among its people yet. */
  readonly member: string | null
  readonly isNameless: boolean
}

/** By externalId: the job that created the request, or null. */
export type KnownRequests = ReadonlyMap<string, string | null>

/** What the names of a package stand for, by name as the package writes it. */
export interface KnownNames {
  readonly people: ReadonlyMap<string, PersonMatch>
  readonly units: ReadonlyMap<string, LabelMatch>
  readonly tags: ReadonlyMap<string, LabelMatch>
}

/** The names to look up. */
export interface Names {
  readonly emails: readonly string[]
  /** Those of the emails that are not only kept as text. */
  readonly assigned: ReadonlySet<string>
  readonly units: readonly string[]
  readonly tags: readonly string[]
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
  readonly tagIds: readonly string[]
}

// A manifest has fewer names than bytes, so the positions of two requests never overlap.
const POSITIONS = LIMITS.fileBytes

/** Decides what happens to each request, for both preview and import. */
export function planRequests(
  requests: readonly PlacedRequest[],
  existing: KnownRequests,
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
export function linkRequest(request: ManifestRequest, known: KnownNames): Links {
  const idOf = (email: string | null | undefined) => (email ? (known.people.get(email)?.id ?? null) : null)
  const watchers = (request.watchers ?? []).map(idOf).filter((id) => id !== null)
  const unit = unitOf(request)
  const tagIds = tagsOf(request).map((tag) => known.tags.get(tag)?.id ?? null)
  return {
    reporterId: idOf(request.reporter?.email),
    assigneeId: idOf(request.assignee),
    supervisorId: idOf(request.supervisor),
    watcherIds: [...new Set(watchers)],
    authorIds: (request.comments ?? []).map(({ author }) => idOf(author?.email)),
    unitId: unit === undefined ? null : (known.units.get(unit)?.id ?? null),
    // Two names may be mapped to one tag.
    tagIds: [...new Set(tagIds.filter((id) => id !== null))],
  }
}

/** Returns the names of a new request that the site lacks, with what becomes of each. */
export function* findingsOf({ index, request }: PlacedRequest, known: KnownNames): Generator<Finding, void> {
  let position = index * POSITIONS
  for (const [email, role] of assignedIn(request)) {
    const match = known.people.get(email)
    if (!match || match.outcome === 'known') continue
    yield { kind: 'email', key: match.key, value: email, roles: [role], outcome: match.outcome, position: position++ }
  }
  for (const [kind, name] of labelsIn(request)) {
    const match = (kind === 'unit' ? known.units : known.tags).get(name)
    if (!match || match.outcome === 'known') continue
    yield { kind, key: name, value: name, roles: [], outcome: match.outcome, position: position++ }
  }
}

function* assignedIn({ assignee, supervisor, watchers = [] }: ManifestRequest): Generator<[string, SkippedRole]> {
  if (assignee) yield [assignee, 'assignee']
  if (supervisor) yield [supervisor, 'supervisor']
  for (const watcher of watchers) yield [watcher, 'watcher']
}

function* labelsIn(request: ManifestRequest): Generator<['unit' | 'tag', string]> {
  const unit = unitOf(request)
  if (unit !== undefined) yield ['unit', unit]
  for (const tag of tagsOf(request)) yield ['tag', tag]
}

/** Returns the findings of several requests, one after the other, so that a million of them take no memory. */
export function* findingsIn(requests: Iterable<PlacedRequest>, known: KnownNames): Generator<Finding, void> {
  for (const request of requests) yield* findingsOf(request, known)
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
export function namesIn(requests: Iterable<ManifestRequest>): Names {
  const [emails, assigned] = [new Set<string>(), new Set<string>()]
  const [units, tags] = [new Set<string>(), new Set<string>()]
  for (const request of requests) {
    for (const [email] of assignedIn(request)) {
      emails.add(email)
      assigned.add(email)
    }
    for (const person of peopleOf(request)) if (person?.email) emails.add(person.email)
    for (const [kind, name] of labelsIn(request)) (kind === 'unit' ? units : tags).add(name)
  }
  return { emails: [...emails], assigned, units: [...units], tags: [...tags] }
}

/** Returns the names that reporters and authors have, by the keys of their emails. */
export function personNamesIn(requests: Iterable<ManifestRequest>): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const request of requests) {
    for (const person of peopleOf(request)) {
      const name = person?.name?.trim()
      if (!person?.email || !name) continue
      const key = foldEmail(person.email)
      if (!names.has(key)) names.set(key, name)
    }
  }
  return names
}

/** The reporter and the authors of a request. */
const peopleOf = ({ reporter, comments = [] }: ManifestRequest) => [reporter, ...comments.map(({ author }) => author)]

/** Returns the attachments of a request and of all its comments. */
export function attachmentsOf({ attachments = [], comments = [] }: ManifestRequest): readonly ManifestAttachment[] {
  return [...attachments, ...comments.flatMap((comment) => comment.attachments ?? [])]
}

/** A blank name means no unit. */
export function unitOf({ unit }: ManifestRequest): string | undefined {
  return unit?.trim() || undefined
}

export function tagsOf({ tags = [] }: ManifestRequest): readonly string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}
