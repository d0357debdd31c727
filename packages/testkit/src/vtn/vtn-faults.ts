/** What a VTN of a test does wrong. Everything is off until a test switches it on. */
export interface VtnFaults {
  /** Ends every connection without an answer. */
  isDown: boolean
  /** Answers after this many milliseconds. */
  delayMs: number
  /** Answers with a web page, as a proxy or a sign-in page does. */
  answersHtml: boolean
  /** Answers 429; the text is `Retry-After`. */
  retryAfter: string | undefined
  /** Answers the next requests with 500. */
  failures: number
  /** How many more requests the present token lasts; later ones get 401. */
  requestsPerToken: number
  hasNoEtag: boolean
  hasNoDate: boolean
  /** Answers as of a clock that is this far ahead. */
  clockAheadMs: number
  /** Runs between two pages of a list: a test shifts it there. */
  betweenPages: (() => void) | undefined
  /** Stores a report, and ends the connection instead of answering. */
  losesReportAnswers: boolean
  /** Shows no VEN its reports, and refuses one that it has already: 409. */
  hidesReports: boolean
  /** Has no token address of its own: 501. */
  hasNoTokenEndpoint: boolean
  /** Names another address for tokens in `/auth/server`; 404 there when missing. */
  tokenUrl: string | undefined
  /** Answers 404 for the events of these programs, by id. */
  lostPrograms: readonly string[]
  /** Answers 501 to these paths, for example `subscriptions`. */
  lacks: readonly string[]
  /** Changes what is sent, for example into what no description allows. */
  distort: ((body: unknown, path: string) => unknown) | undefined
  /** Says `VEN` where the description says `BL_VEN_REQUEST`, or the other way round. */
  venObjectType: 'VEN' | 'BL_VEN_REQUEST'
}

export const noFaults = (): VtnFaults => ({
  isDown: false,
  delayMs: 0,
  answersHtml: false,
  retryAfter: undefined,
  failures: 0,
  requestsPerToken: Number.POSITIVE_INFINITY,
  hasNoEtag: false,
  hasNoDate: false,
  clockAheadMs: 0,
  betweenPages: undefined,
  losesReportAnswers: false,
  hidesReports: false,
  hasNoTokenEndpoint: false,
  tokenUrl: undefined,
  lostPrograms: [],
  lacks: [],
  distort: undefined,
  venObjectType: 'VEN',
})
