/** Every error code of the API, with its HTTP status and, for the reference, its cause. */
export const ERRORS = {
  INVALID: { status: 400, cause: 'The request is invalid. `field` says where, for example `data.limit`.' },
  UNAUTHENTICATED: { status: 401, cause: 'The key, token or session is missing, malformed, unknown or revoked.' },
  FORBIDDEN: {
    status: 403,
    cause:
      'The key lacks the permission, or the person the role, or they do not reach this organization, site or device.',
  },
  RECENT_SIGN_IN_REQUIRED: {
    status: 403,
    cause:
      'A person last proved who they are more than 15 minutes ago. Send the password, or a factor where the account has one, to `POST /api/session/verify`, then repeat the request.',
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    cause: 'The organization requires a second factor, and this session was opened without one.',
  },
  NOT_FOUND: { status: 404, cause: 'It does not exist in this organization or site.' },
  TIMEOUT: { status: 408, cause: 'The body arrived too slowly.' },
  CONFLICT: { status: 409, cause: 'The name is taken, or someone else changed it at the same moment.' },
  CONFIRMATION_REQUIRED: {
    status: 409,
    cause:
      'Something would be lost, which the message names. Nothing was changed. Repeat the request with `confirm=true`.',
  },
  LENGTH_REQUIRED: { status: 411, cause: 'An upload has no `Content-Length`.' },
  TOO_LARGE: { status: 413, cause: 'The body exceeds the limit that the message names.' },
  URL_TOO_LONG: { status: 414, cause: 'The URL exceeds 8192 characters.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, cause: 'The body is not JSON.' },
  MISDIRECTED: { status: 421, cause: 'The `Host` header is not a name of this service.' },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    cause: 'A limit is used up, for example of failed attempts to sign in. `Retry-After` says when to try again.',
  },
  QUOTA_EXCEEDED: {
    status: 429,
    cause:
      'A limit of the caller, the site or the organization is reached. The message names it; `Retry-After` says when to try again.',
  },
  HEADERS_TOO_LARGE: { status: 431, cause: 'URL and headers together exceed 16 KiB.' },
  DEVICE_REJECTED: {
    status: 499,
    cause: 'The controller rejected the command. Nothing was applied. The message is the controller’s.',
  },
  INTERNAL: { status: 500, cause: 'The service has a problem, logged under the `reqId`.' },
  DEVICE_OFFLINE: {
    status: 502,
    cause: 'The controller is offline, did not reply in time, or sent a reply that the service cannot read.',
  },
  UNAVAILABLE: { status: 503, cause: 'The service is starting, stopping or overloaded.' },
  DISK_FULL: { status: 507, cause: 'The disk of the service has no room for an upload.' },
} as const
export type ErrorCode = keyof typeof ERRORS

/** The errors that our own code expects, by the code that a caller gets. */
export const FAILURES = {
  invalid: 'INVALID',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  recentSignIn: 'RECENT_SIGN_IN_REQUIRED',
  secondFactor: 'SECOND_FACTOR_REQUIRED',
  notFound: 'NOT_FOUND',
  conflict: 'CONFLICT',
  unconfirmed: 'CONFIRMATION_REQUIRED',
  misdirected: 'MISDIRECTED',
  tooMany: 'TOO_MANY_ATTEMPTS',
  quota: 'QUOTA_EXCEEDED',
  rejected: 'DEVICE_REJECTED',
  offline: 'DEVICE_OFFLINE',
  unavailable: 'UNAVAILABLE',
  full: 'DISK_FULL',
} as const satisfies Record<string, ErrorCode>
export type FailureKind = keyof typeof FAILURES

/** The one type of expected error. Its message is written for the person who has to fix the cause. */
export class Failure extends Error {
  readonly kind: FailureKind
  /** The offending field as a path from the body's root, on `invalid`. */
  readonly field: string | undefined
  /** Answered as `Retry-After`. */
  readonly retryAfterS: number | undefined

  constructor(kind: FailureKind, message: string, field?: string, options: { retryAfterS?: number } = {}) {
    super(message)
    this.name = 'Failure'
    this.kind = kind
    this.field = field
    this.retryAfterS = options.retryAfterS
  }
}

/** A limit that the caller has reached. The message names it; `retryAfterS` is when it is worth trying again. */
export function quotaReached(message: string, retryAfterS: number): Failure {
  return new Failure('quota', message, undefined, { retryAfterS })
}
