import type { ManifestAttachment, ManifestTicket } from '@plantroom/fpl/manifest'

export type { ManifestAttachment, ManifestPerson } from '@plantroom/fpl/manifest'
/** A request of a manifest that the checker has accepted. `number` is informational and never used. */
export type ManifestRequest = ManifestTicket

/** A request and its index in the package. */
export interface PlacedRequest {
  readonly index: number
  readonly request: ManifestRequest
}

/** Returns the attachments of a request and of all its comments. */
export function attachmentsOf({ attachments = [], comments = [] }: ManifestRequest): readonly ManifestAttachment[] {
  return [...attachments, ...comments.flatMap((comment) => comment.attachments ?? [])]
}
