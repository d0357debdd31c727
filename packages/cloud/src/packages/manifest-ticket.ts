import type { ManifestAttachment, ManifestTicket } from '@plantroom/fpl/manifest'

export type { ManifestAttachment, ManifestPerson, ManifestTicket } from '@plantroom/fpl/manifest'

/** A request and its place in the package. */
export interface PlacedTicket {
  readonly index: number
  readonly ticket: ManifestTicket
}

export function attachmentsOf({ attachments = [], comments = [] }: ManifestTicket): readonly ManifestAttachment[] {
  return [...attachments, ...comments.flatMap((comment) => comment.attachments ?? [])]
}
