import { AsyncLocalStorage } from 'node:async_hooks'

/** What a piece of work belongs to. Every log line of it has these fields. */
export interface Correlation {
  /** The HTTP request. */
  requestId?: string
  /** Whose request it is. The connections to the database are shared by it. */
  organizationId?: string
  /** The command, from the HTTP request to the equipment. */
  reqId?: string
  /** The trace, while traces are exported. */
  traceId?: string
  job?: string
}

/** The position in a trace: what a span that starts now has as its parent. */
export interface SpanContext {
  traceId: string
  spanId: string
  isSampled: boolean
}

interface Context {
  fields: Correlation
  span: SpanContext | undefined
}

const storage = new AsyncLocalStorage<Context>()
const NONE: Context = { fields: {}, span: undefined }

/** Runs work, and everything that it starts, with further fields in its log lines, and optionally in a span. */
export function correlate<Result>(fields: Correlation, work: () => Result, span?: SpanContext): Result {
  const outer = storage.getStore() ?? NONE
  return storage.run({ fields: { ...outer.fields, ...fields }, span: span ?? outer.span }, work)
}

/** Runs work that belongs to nothing, for example a timer that a request happened to start. */
export const uncorrelated = <Result>(work: () => Result): Result => storage.run(NONE, work)

/** The fields of the current work, as a new object. */
export const currentCorrelation = (): Correlation => ({ ...storage.getStore()?.fields })

export const currentSpan = (): SpanContext | undefined => storage.getStore()?.span

/** The form of a request id that callers may choose. It goes into logs and headers, so it has no other characters. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** Returns the text if it may serve as a request id. */
export const readRequestId = (text: unknown): string | undefined =>
  typeof text === 'string' && REQUEST_ID.test(text) ? text : undefined

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads the W3C header `traceparent`; `undefined` when it is malformed. */
export function readTraceparent(text: unknown): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(String(text ?? '')) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
