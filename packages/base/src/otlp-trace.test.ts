import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import { correlate } from './correlation.ts'
import { createLog } from './log.ts'
import { openTrace } from './open-trace.ts'
import { createOtlpTrace } from './otlp-trace.ts'
import { readTraceSettings, traced } from './trace.ts'

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number; message?: string }
}

/** A receiver of OTLP over HTTP that refuses what the JSON form of the protocol does not allow. */
async function startReceiver() {
  const spans: SentSpan[] = []
  const headers: IncomingHttpHeaders[] = []
  const state = { status: 200, asked: 0 }
  const server = createServer(async (request, response) => {
    state.asked += 1
    const body = JSON.parse((await request.toArray()).join(''))
    if (state.status === 200) {
      headers.push(request.headers)
      expect(request.url).toBe('/v1/traces')
      expect(request.headers['content-type']).toBe('application/json')
      spans.push(...validSpans(body))
    }
    response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { spans, headers, state, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function validSpans(body: { resourceSpans: { resource: object; scopeSpans: { spans: SentSpan[] }[] }[] }): SentSpan[] {
  expect(Object.keys(body)).toEqual(['resourceSpans'])
  for (const { resource } of body.resourceSpans) {
    expect(resource).toMatchObject({
      attributes: expect.arrayContaining([{ key: 'service.name', value: { stringValue: 'plantroom-test' } }]),
    })
  }
  const spans = body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  for (const span of spans.slice(0, 20)) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    if (span.parentSpanId !== undefined) expect(span.parentSpanId).toMatch(/^[0-9a-f]{16}$/)
    expect(span.kind).toBeGreaterThanOrEqual(1)
    expect(span.kind).toBeLessThanOrEqual(5)
    // 64-bit integers are text in the JSON form.
    expect(span.startTimeUnixNano).toMatch(/^\d{16,20}$/)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
    for (const { key, value } of span.attributes) {
      expect(key).not.toBe('')
      expect(Object.keys(value)).toHaveLength(1)
      expect(['stringValue', 'boolValue', 'intValue', 'doubleValue']).toContain(Object.keys(value)[0])
      if ('intValue' in value) expect(value.intValue).toMatch(/^-?\d+$/)
    }
  }
  return spans
}

async function open(options: { ratio?: number } = {}) {
  const receiver = await startReceiver()
  const clock = createManualClock()
  const lines: string[] = []
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) })
  const settings = { endpoint: receiver.endpoint, headers: { 'x-token': 'secret' }, ratio: options.ratio ?? 1 }
  return { ...receiver, clock, lines, trace: createOtlpTrace({ service: 'test', settings, clock, log }) }
}

test('spans of one piece of work arrive with their parents, times and outcomes', async () => {
  const { trace, spans, headers, clock } = await open()
  const parent = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), isSampled: true }
  const server = trace.start({ name: 'GET /x', kind: 'server', parent, attributes: { a: 'b', n: 3, f: 0.5, t: true } })
  await correlate(
    {},
    async () => {
      await clock.advance(5)
      trace.start({ name: 'select', kind: 'client', startedMsAgo: 4 }).end()
      const failing = traced(trace, { name: 'job', kind: 'consumer' }, async () => Promise.reject(new Error('broken')))
      await expect(failing).rejects.toThrow('broken')
    },
    server.context,
  )
  server.end({ attributes: { status: 200, missing: undefined } })
  server.end({ attributes: { status: 500 } })
  await trace.close()
  expect(headers[0]?.['x-token']).toBe('secret')
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['select', 3],
    ['job', 5],
    ['GET /x', 2],
  ])
  const [query, job, root] = spans
  expect(root?.parentSpanId).toBe(parent.spanId)
  for (const span of spans) expect(span.traceId).toBe(parent.traceId)
  for (const child of [query, job]) expect(child?.parentSpanId).toBe(root?.spanId)
  expect(BigInt(query?.endTimeUnixNano ?? 0) - BigInt(query?.startTimeUnixNano ?? 0)).toBe(4_000_000n)
  expect(BigInt(root?.endTimeUnixNano ?? 0) - BigInt(root?.startTimeUnixNano ?? 0)).toBe(5_000_000n)
  expect(job?.status).toEqual({ code: 2, message: 'broken' })
  expect(root?.attributes).toContainEqual({ key: 'status', value: { intValue: '200' } })
})

test('a receiver that is down costs bounded memory and one warning, and gets the spans when it is back', async () => {
  const { trace, spans, state, clock, lines } = await open()
  state.status = 503
  const spanOf = (number: number) => trace.start({ name: `span ${number}`, kind: 'internal' }).end()
  for (let number = 0; number < 5_000; number += 1) spanOf(number)
  for (let times = 0; times < 3; times += 1) {
    await clock.advanceToNext()
    await eventually(() => expect(state.asked).toBe(times + 1))
    await eventually(() => expect(clock.waiting()).toHaveLength(1))
  }
  expect(lines.filter((line) => line.includes('does not answer'))).toHaveLength(1)
  state.status = 200
  await clock.advance(60_000)
  await eventually(() => expect(lines.join('')).toContain('answers again'))
  await eventually(async () => {
    await clock.advance(2_000)
    expect(spans).toHaveLength(4096)
  })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ dropped: 5_000 - 4096 })
  expect(spans[0]?.name).toBe('span 0')
  await trace.close()
})

test('spans that the receiver refuses for good are not sent again', async () => {
  const { trace, state, clock, lines } = await open()
  state.status = 400
  trace.start({ name: 'refused', kind: 'internal' }).end()
  await clock.advance(2_000)
  await eventually(() => expect(lines.join('')).toContain('refused spans'))
  await trace.close()
  expect(state.asked).toBe(1)
})

test('a receiver that hangs or cannot be reached delays neither the work nor the end of the program', async () => {
  const clock = createManualClock()
  const log = createLog('test', 'silent')
  const settings = { endpoint: 'http://127.0.0.1:1', headers: {}, ratio: 1 }
  const hanging = createOtlpTrace({ service: 'test', settings, clock, log, send: () => new Promise(() => {}) })
  hanging.start({ name: 'one', kind: 'internal' }).end()
  await clock.advance(2_000)
  for (let number = 0; number < 1_000; number += 1) hanging.start({ name: 'more', kind: 'internal' }).end()
  const closed = hanging.close()
  await clock.advance(1_000)
  await closed
  const refused = createOtlpTrace({ service: 'test', settings, clock, log })
  refused.start({ name: 'one', kind: 'internal' }).end()
  await refused.close()
})

test('traces that the caller or the ratio leaves out are not recorded', async () => {
  const { trace, spans } = await open({ ratio: 0 })
  trace.start({ name: 'left out', kind: 'server' }).end()
  const context = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }
  trace.start({ name: 'not sampled', kind: 'server', parent: { ...context, isSampled: false } }).end()
  trace.start({ name: 'sampled', kind: 'server', parent: { ...context, isSampled: true } }).end()
  await trace.close()
  expect(spans.map(({ name }) => name)).toEqual(['sampled'])
})

test('traces are off by default, and their settings are checked', async () => {
  const clock = createManualClock()
  expect(await openTrace('test', readTraceSettings({}, []), { clock, log: createLog('t', 'silent') })).toBeUndefined()
  const problems: string[] = []
  const wrong = { PLANTROOM_TRACE_RATIO: '2', OTEL_EXPORTER_OTLP_HEADERS: 'no-value,a=%0a' }
  readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://x', ...wrong }, problems)
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'PLANTROOM_TRACE_RATIO',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_EXPORTER_OTLP_HEADERS',
  ])
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==',
  }
  expect(readTraceSettings(settings, [])).toEqual({
    endpoint: 'https://c:4318',
    headers: { authorization: 'Basic YQ==' },
    ratio: 1,
  })
})
