import { correlate, type SpanContext } from './correlation.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanAbout {
  name: string
  kind: SpanKind
  attributes?: Attributes
  /** A position that came from another process. By default, the span of the current work. */
  parent?: SpanContext | undefined
  /** How long ago it started, for work that is already over. */
  startedMsAgo?: number
}

export interface OpenSpan {
  readonly context: SpanContext
  /** Ends the span, once. `error` marks it as failed. */
  end(outcome?: { name?: string; attributes?: Attributes; error?: string | undefined }): void
}

/** Records how long pieces of work take, and which belong together. */
export interface Trace {
  start(about: SpanAbout): OpenSpan
  /** Sends what is left, if the receiver answers soon. */
  close(): Promise<void>
}

/** Runs work in a span; without a trace, just runs it. */
export async function traced<Result>(
  trace: Trace | undefined,
  about: SpanAbout,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!trace) return work()
  const span = trace.start(about)
  try {
    const result = await correlate({ traceId: span.context.traceId }, work, span.context)
    span.end()
    return result
  } catch (error) {
    span.end({ error: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

/** Where spans go. */
export interface TraceSettings {
  /** The base address of an OTLP/HTTP receiver; spans go to `/v1/traces` below it. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  /** The part of traces that is recorded, 0 to 1. */
  ratio: number
}

/** Reads the settings of traces, by their standard names; `undefined` when they are off. Adds what is wrong to `problems`. */
export function readTraceSettings(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = env
  if (!endpoint) return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    problems.push('OTEL_EXPORTER_OTLP_ENDPOINT: not an address that starts with http:// or https://')
  }
  const ratio = Number(env.PLANTROOM_TRACE_RATIO || '1')
  if (!(ratio >= 0 && ratio <= 1)) {
    problems.push(`PLANTROOM_TRACE_RATIO: ${env.PLANTROOM_TRACE_RATIO} is not a number from 0 to 1`)
  }
  return { endpoint: endpoint.replace(/(?<!\/)\/+$/, ''), headers: readHeaders(headers, problems), ratio }
}

/** Reads `name=value,name=value` with percent-encoded values. The text may contain a password, so it is never shown. */
function readHeaders(text: string, problems: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', value] = [
      pair.slice(0, pair.indexOf('=')).trim(),
      decoded(pair.slice(pair.indexOf('=') + 1).trim()),
    ]
    if (pair.includes('=') && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && value !== undefined) headers[name] = value
    else problems.push('OTEL_EXPORTER_OTLP_HEADERS: not of the form name=value,name=value with percent-encoded values')
  }
  return headers
}

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    return /^[\x20-\x7e]*$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}
