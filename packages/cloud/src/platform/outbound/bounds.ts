const KIB = 1024
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/**
 * Requests to others of one process: what all kinds of work together have places for, so that these decide who waits. An
 * organization takes at most half of them.
 */
export const PLACES = { atOnce: 176, waitingPerOrganization: 200 }

/** Of the answer, all of its headers together. */
export const MAX_HEADER_BYTES = 16 * KIB

/** What one request may take of this service. */
export interface Bounds {
  /** The longest body of an answer. It is never decompressed: no request asks for compression. */
  answerBytes: number
  /** What happens to a longer one: the first part is enough, or the request fails. */
  beyond: 'cut' | 'fail'
  /** Without a byte in either direction. */
  idleMs: number
  /** From the last byte of the request to the last byte of the answer. */
  answerMs: number
  /** From the lookup of the name to the last byte of the answer. */
  totalMs: number
}

/** Of each kind of request. `docs/reference/limits.md` lists them. */
export const BOUNDS = {
  /** Events of organizations, and the activity log of the operator. The answer is shown to people. */
  webhook: {
    answerBytes: 1000,
    beyond: 'cut',
    idleMs: 10 * SECOND_MS,
    answerMs: 10 * SECOND_MS,
    totalMs: 10 * SECOND_MS,
  },
  /** WebDAV folders: an answer describes one file or has its beginning. A delivery gives up before, after five minutes. */
  webdav: {
    answerBytes: 64 * KIB,
    beyond: 'cut',
    idleMs: 6 * MINUTE_MS,
    answerMs: 6 * MINUTE_MS,
    totalMs: 720 * MINUTE_MS,
  },
  /** Buckets: a list of 1,000 uploads has less than 1 MiB. Half a document could mean anything. */
  bucket: {
    answerBytes: KIB * KIB,
    beyond: 'fail',
    idleMs: 6 * MINUTE_MS,
    answerMs: 6 * MINUTE_MS,
    totalMs: 60 * MINUTE_MS,
  },
  /** VTNs of OpenADR: a page has at most 50 events, of which some have an interval for each quarter of an hour. */
  vtn: {
    answerBytes: 2 * KIB * KIB,
    beyond: 'fail',
    idleMs: 10 * SECOND_MS,
    answerMs: 20 * SECOND_MS,
    totalMs: 30 * SECOND_MS,
  },
  /** Providers of sign-in: their description, keys and tokens. */
  provider: {
    answerBytes: KIB * KIB,
    beyond: 'fail',
    idleMs: 5 * SECOND_MS,
    answerMs: 5 * SECOND_MS,
    totalMs: 5 * SECOND_MS,
  },
} as const satisfies Record<string, Bounds>
