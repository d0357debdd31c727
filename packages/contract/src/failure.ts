export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooMany'
  | 'rejected'
  | 'offline'
  | 'unavailable'

/** The one type of expected error. Its message is written for the person who has to fix the cause. */
export class Failure extends Error {
  readonly kind: FailureKind
  /** The offending field as a path from the body's root, on `invalid`. */
  readonly field: string | undefined

  constructor(kind: FailureKind, message: string, field?: string) {
    super(message)
    this.name = 'Failure'
    this.kind = kind
    this.field = field
  }
}
