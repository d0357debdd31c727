import { attachmentsOf, type ManifestTicket, type PlacedTicket } from './manifest-ticket.ts'

/** Whoever is asked for by an address that nobody on the site has is skipped in this part. */
type SkippedRole = 'assignee' | 'supervisor' | 'watcher'

/** What is worth telling of a package beside numbers. */
export interface Finding {
  readonly kind: 'tag' | 'unit' | 'email'
  /** What makes two of them one. */
  readonly key: string
  readonly value: string
  readonly roles: readonly SkippedRole[]
  /** In order of appearance in the package. */
  readonly position: number
}

interface PersonMatch {
  /** Null when nobody on the site has this address. */
  readonly id: string | null
  /** The address as the database compares it. */
  readonly key: string
}

/** What is on the site of the names that some requests have. */
export interface Known {
  /** The job that made it, by externalId; null where it was none. */
  readonly tickets: ReadonlyMap<string, string | null>
  /** By address as it is written. */
  readonly people: ReadonlyMap<string, PersonMatch>
  /** Ids, by name. */
  readonly units: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, string>
}

/**
 * What happens to a request. `create`: it is new. `made`: an earlier attempt of this job made it. `skip`: it was on the
 * site before.
 */
interface PlannedTicket extends PlacedTicket {
  readonly outcome: 'create' | 'made' | 'skip'
  readonly comments: number
  readonly attachments: number
}

/** What a request that is created is linked to. */
export interface Links {
  readonly reporterId: string | null
  readonly assigneeId: string | null
  readonly supervisorId: string | null
  readonly watcherIds: readonly string[]
  readonly authorIds: readonly (string | null)[]
  readonly unitId: string | null
  /** Names, each once. */
  readonly tags: readonly string[]
}

// More than there can be values in one request: positions of two requests never meet.
const POSITIONS = 262_144

/** Says for each request what happens to it. Both the preview and the import ask here. */
export function planTickets(
  tickets: readonly PlacedTicket[],
  existing: Known['tickets'],
  jobId: string,
): readonly PlannedTicket[] {
  return tickets.map(({ index, ticket }) => {
    const madeBy = existing.get(ticket.externalId)
    const outcome = madeBy === undefined ? 'create' : madeBy === jobId ? 'made' : 'skip'
    return {
      index,
      ticket,
      outcome,
      comments: ticket.comments?.length ?? 0,
      attachments: attachmentsOf(ticket).length,
    }
  })
}

/** What a new request is linked to on a site of which this is known. */
export function linkTicket(ticket: ManifestTicket, known: Omit<Known, 'tickets'>): Links {
  const idOf = (email: string | null | undefined) => (email ? (known.people.get(email)?.id ?? null) : null)
  const watchers = (ticket.watchers ?? []).map(idOf).filter((id) => id !== null)
  const unit = unitOf(ticket)
  return {
    reporterId: idOf(ticket.reporter?.email),
    assigneeId: idOf(ticket.assignee),
    supervisorId: idOf(ticket.supervisor),
    watcherIds: [...new Set(watchers)],
    authorIds: (ticket.comments ?? []).map(({ author }) => idOf(author?.email)),
    unitId: unit === undefined ? null : (known.units.get(unit) ?? null),
    tags: tagsOf(ticket),
  }
}

/** What is to be told of a new request: tags that have to be made, a unit that is left empty, people that are skipped. */
export function findingsOf({ index, ticket }: PlacedTicket, known: Omit<Known, 'tickets'>): readonly Finding[] {
  const found: Omit<Finding, 'position'>[] = []
  const skipped = (email: string | null | undefined, role: SkippedRole) => {
    const match = email ? known.people.get(email) : undefined
    if (email && match?.id === null) found.push({ kind: 'email', key: match.key, value: email, roles: [role] })
  }
  skipped(ticket.assignee, 'assignee')
  skipped(ticket.supervisor, 'supervisor')
  for (const watcher of ticket.watchers ?? []) skipped(watcher, 'watcher')
  const unit = unitOf(ticket)
  if (unit !== undefined && !known.units.has(unit)) found.push({ kind: 'unit', key: unit, value: unit, roles: [] })
  for (const tag of tagsOf(ticket)) {
    if (!known.tags.has(tag)) found.push({ kind: 'tag', key: tag, value: tag, roles: [] })
  }
  return found.map((finding, place) => ({ ...finding, position: index * POSITIONS + place }))
}

/** Each once, where it appeared first, with the roles of all. */
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

/** Every name in these requests that has to be looked up. */
export function namesIn(tickets: Iterable<ManifestTicket>): { emails: string[]; units: string[]; tags: string[] } {
  const [emails, units, tags] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const ticket of tickets) {
    const { assignee, supervisor, reporter, watchers = [], comments = [] } = ticket
    const authors = comments.map(({ author }) => author?.email)
    for (const email of [assignee, supervisor, reporter?.email, ...watchers, ...authors]) if (email) emails.add(email)
    const unit = unitOf(ticket)
    if (unit !== undefined) units.add(unit)
    for (const tag of tagsOf(ticket)) tags.add(tag)
  }
  return { emails: [...emails], units: [...units], tags: [...tags] }
}

/** Of a blank name there is no unit. */
function unitOf({ unit }: ManifestTicket): string | undefined {
  return unit?.trim() || undefined
}

function tagsOf({ tags = [] }: ManifestTicket): readonly string[] {
  return [...new Set(tags.map((tag) => tag.trim()))]
}
