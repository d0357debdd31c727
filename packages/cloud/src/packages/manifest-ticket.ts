import type { TicketState } from '@plantroom/contract/tickets'

/** A request as a manifest holds it, once the checker has found nothing wrong with it. */
export interface ManifestTicket {
  readonly externalId: string
  readonly title: string
  readonly state: TicketState
  readonly description?: string | null
  readonly notes?: string | null
  readonly resolutionSummary?: string | null
  readonly priority?: number | null
  readonly language?: string | null
  readonly tone?: string | null
  readonly scope?: string | null
  readonly safetyHazard?: boolean | null
  readonly reporter?: ManifestPerson | null
  readonly assignee?: string | null
  readonly supervisor?: string | null
  readonly watchers?: readonly string[]
  readonly unit?: string | null
  readonly tags?: readonly string[]
  readonly ccEmails?: readonly string[]
  readonly feedback?: number | null
  readonly feedbackText?: string | null
  readonly createdAt?: string | null
  readonly updatedAt?: string | null
  readonly resolvedAt?: string | null
  readonly stateChangedAt?: string | null
  readonly attachments?: readonly ManifestAttachment[]
  readonly comments?: readonly ManifestComment[]
}

export interface ManifestPerson {
  readonly email?: string | null
  readonly name?: string | null
  readonly phone?: string | null
}

interface ManifestComment {
  readonly content: string
  readonly author?: ManifestPerson | null
  readonly createdAt?: string | null
  readonly attachments?: readonly ManifestAttachment[]
}

export interface ManifestAttachment {
  readonly path: string
  readonly name?: string
  readonly contentType?: string
}

/** A request and its place in the package. */
export interface PlacedTicket {
  readonly index: number
  readonly ticket: ManifestTicket
}

export function attachmentsOf({ attachments = [], comments = [] }: ManifestTicket): readonly ManifestAttachment[] {
  return [...attachments, ...comments.flatMap((comment) => comment.attachments ?? [])]
}
