import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type Clock, within } from './clock.ts'
import { currentSpan, type SpanContext, uncorrelated } from './correlation.ts'
import type { Log } from './log.ts'
import type { Attributes, OpenSpan, SpanAbout, SpanKind, Trace, TraceSettings } from './trace.ts'

/** Spans that wait to be sent. Beyond this, the newest are dropped: what is traced never waits for the receiver. */
const MAX_QUEUED = 4096
const BATCH = 512
const SEND_EVERY_MS = 2_000
const ANSWER_WITHIN_MS = 5_000
/** A receiver that is down gets one request per minute at most. */
const LONGEST_PAUSE_MS = 60_000
const CLOSE_WITHIN_MS = 1_000
/** Longer texts, for example a statement, say nothing more. */
const MAX_TEXT = 1024

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const FAILED = 2

interface Deps {
  service: string
  settings: TraceSettings
  clock: Clock
  log: Log
  /** Replaces the global `fetch`. */
  send?: typeof fetch
}

interface State extends Deps {
  queue: object[]
  dropped: number
  /** Failures in a row. */
  failures: number
  sending: Promise<void> | undefined
  cancelTimer: (() => void) | undefined
  isClosed: boolean
}

/** Exports spans as JSON over HTTP, by the OpenTelemetry protocol (OTLP 1.x). */
export function createOtlpTrace(deps: Deps): Trace {
  const state: State = {
    ...deps,
    queue: [],
    dropped: 0,
    failures: 0,
    sending: undefined,
    cancelTimer: undefined,
    isClosed: false,
  }
  return {
    start: (about) => startSpan(state, about),
    async close() {
      state.isClosed = true
      state.cancelTimer?.()
      await within(deps.clock, CLOSE_WITHIN_MS, drain(state))
    },
  }
}

function startSpan(state: State, about: SpanAbout): OpenSpan {
  const { clock } = state
  const parent = about.parent ?? currentSpan()
  const context: SpanContext = {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    isSampled: parent ? parent.isSampled : Math.random() < state.settings.ratio,
  }
  const started = clock.monotonic() - (about.startedMsAgo ?? 0)
  const startTime = clock.now() - (about.startedMsAgo ?? 0)
  let isOpen = true
  return {
    context,
    end({ name = about.name, attributes, error } = {}) {
      if (!isOpen) return
      isOpen = false
      if (!context.isSampled) return
      enqueue(state, {
        traceId: context.traceId,
        spanId: context.spanId,
        ...(parent && { parentSpanId: parent.spanId }),
        name: name.slice(0, MAX_TEXT),
        kind: KINDS[about.kind],
        startTimeUnixNano: nanoseconds(startTime),
        // The wall time may be stepped meanwhile, and a span must not end before it starts.
        endTimeUnixNano: nanoseconds(startTime + clock.monotonic() - started),
        attributes: keyValues({ ...about.attributes, ...attributes }),
        status: error === undefined ? {} : { code: FAILED, message: error.slice(0, MAX_TEXT) },
      })
    },
  }
}

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n)

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value.toWellFormed().slice(0, MAX_TEXT) }
  if (typeof value === 'boolean') return { boolValue: value }
  // OTLP writes 64-bit integers as text.
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

function enqueue(state: State, span: object): void {
  if (state.isClosed) return
  if (state.queue.length >= MAX_QUEUED) {
    state.dropped += 1
    return
  }
  state.queue.push(span)
  if (state.queue.length >= BATCH && state.failures === 0) sendSoon(state, 0)
  else sendSoon(state, SEND_EVERY_MS)
}

function sendSoon(state: State, ms: number): void {
  if (state.sending || (state.cancelTimer && ms > 0)) return
  state.cancelTimer?.()
  state.cancelTimer = uncorrelated(() =>
    state.clock.after(ms, () => {
      state.cancelTimer = undefined
      state.sending = sendBatch(state).finally(() => {
        state.sending = undefined
        if (state.queue.length === 0 || state.isClosed) return
        const pause = Math.min(SEND_EVERY_MS * 2 ** state.failures, LONGEST_PAUSE_MS)
        sendSoon(state, state.failures > 0 ? pause : state.queue.length >= BATCH ? 0 : SEND_EVERY_MS)
      })
    }),
  )
}

/** Sends the oldest spans, and keeps them when the receiver may accept them later. Never rejects. */
async function sendBatch(state: State): Promise<void> {
  const { settings, log, send = fetch } = state
  const batch = state.queue.slice(0, BATCH)
  if (batch.length === 0) return
  try {
    const answer = await send(`${settings.endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...settings.headers, 'content-type': 'application/json' },
      body: JSON.stringify(envelope(state, batch)),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await answer.body?.cancel()
    // The protocol says which answers are worth a repetition.
    if ([429, 502, 503, 504].includes(answer.status)) throw new Error(`it answered ${answer.status}`)
    state.queue.splice(0, batch.length)
    if (!answer.ok) log.warn({ status: answer.status, spans: batch.length }, 'the receiver of traces refused spans')
    if (state.failures > 0) log.info({ dropped: state.dropped }, 'the receiver of traces answers again')
    state.failures = 0
    state.dropped = 0
  } catch (error) {
    const reason =
      error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error)
    if (state.failures === 0)
      log.warn({ reason }, 'the receiver of traces does not answer; spans wait, then are dropped')
    state.failures += 1
  }
}

async function drain(state: State): Promise<void> {
  await state.sending
  const failures = state.failures
  while (state.queue.length > 0 && state.failures === failures) await sendBatch(state)
}

function envelope({ service }: State, spans: readonly object[]): object {
  const attributes = keyValues({
    'service.name': `plantroom-${service}`,
    'host.name': hostname(),
    'process.pid': process.pid,
  })
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'plantroom' }, spans }] }] }
}
