import type { ColumnFieldValues } from '@plantroom/contract/request-fields'

type RequiredField = 'externalId' | 'title' | 'state'

/** A request of a manifest that the checker has accepted. `number` is informational and never used. */
export interface ManifestRequest
  extends Readonly<Pick<ColumnFieldValues, RequiredField>>,
    Readonly<Partial<Omit<ColumnFieldValues, RequiredField | 'createdAt' | 'stateChangedAt'>>> {
  readonly createdAt?: string | null
  readonly stateChangedAt?: string | null
  readonly reporter?: ManifestPerson | null
  /** Email addresses. */
  readonly assignee?: string | null
  readonly supervisor?: string | null
  readonly watchers?: readonly string[]
  /** Name of a unit. */
  readonly unit?: string | null
  readonly tags?: readonly string[]
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

/** A request and its index in the package. */
export interface PlacedRequest {
  readonly index: number
  readonly request: ManifestRequest
}

/** Returns the attachments of a request and of all its comments. */
export function attachmentsOf({ attachments = [], comments = [] }: ManifestRequest): readonly ManifestAttachment[] {
  return [...attachments, ...comments.flatMap((comment) => comment.attachments ?? [])]
}
