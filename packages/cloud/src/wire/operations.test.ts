import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseCloudTopic, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStream } from '../platform/streams/testing/open-stream.ts'
import { addTenant, call, commandPath, createKey, startTestCloud, type Tenant } from '../testing/cloud.ts'
import { connectDevice, type TestDevice } from '../testing/device.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
}

const spans: Span[] = []
const receiver = createServer(async (request, response) => {
  const { resourceSpans } = JSON.parse((await request.toArray()).join(''))
  for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
  response.end('{}')
})

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let apiKey: string
let device: TestDevice
const envelopes: Record<string, unknown>[] = []
/** The next command is answered when the test says so. */
let holdNext = false
let answerHeld: (() => void) | undefined

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  cloud = await startTestCloud({ traces: { endpoint, headers: {}, ratio: 1 }, drainS: 600 })
  tenant = await addTenant(cloud, 'Organization')
  apiKey = (await createKey(cloud, tenant.orgId, ['edge-device:read_write'])).apiKey
  device = await connectDevice(cloud.ready.mqttUrl, tenant, (_command, envelope) => {
    envelopes.push(envelope)
    if (holdNext) return undefined
    return { status: 'ok', payload: '{"success":true}' }
  })
  device.client.on('message', (topic) => {
    const message = parseCloudTopic(topic)
    if (!holdNext || message?.kind !== 'command') return
    const reply = topics.reply(tenant.deviceId, message.cloudId, message.correlationId, 'ok')
    answerHeld = () => void device.client.publish(reply, '{"success":true}')
  })
})
afterAll(async () => {
  await device?.close()
  await cloud?.stop()
  receiver.close()
})

const cancel = (headers: Record<string, string> = {}, body: object = { data: { id: 'x' } }) =>
  call(cloud, 'POST', commandPath(tenant.orgId, tenant.deviceId, 'demandResponseCancel'), {
    headers: { 'x-api-key': apiKey, ...headers },
    body,
  })

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

describe('the id of a request', () => {
  test('is made when the caller gives none, and is the reqId of the command', async () => {
    await eventually(async () => expect((await cancel()).status).toBe(200))
    const { headers, body } = await cancel()
    expect(headers.get('x-request-id')).toMatch(UUID)
    expect(body.reqId).toBe(headers.get('x-request-id'))
    expect(envelopes.at(-1)).toMatchObject({ reqId: body.reqId, requestId: body.reqId })
  })

  test('is what the caller gives, and reaches the device beside a reqId of its own', async () => {
    const reqId = '11111111-2222-4333-8444-555555555555'
    for (const [given, id] of [
      [{ 'x-request-id': 'ticket-42' }, 'ticket-42'],
      [{ traceparent: PARENT }, TRACE],
      [{ 'x-request-id': 'ticket-42', traceparent: PARENT }, 'ticket-42'],
    ] as const) {
      const { headers, body } = await cancel(given)
      expect(headers.get('x-request-id')).toBe(id)
      expect(body.reqId).toMatch(UUID)
      expect(envelopes.at(-1)).toMatchObject({ requestId: id, reqId: body.reqId })
    }
    expect((await cancel({ 'x-request-id': 'ticket-42' }, { reqId, data: { id: 'x' } })).body.reqId).toBe(reqId)
  })

  test('is not taken from a caller who could forge log lines with it', async () => {
    for (const bad of ['a b', 'x'.repeat(200), '{"level":50}']) {
      expect((await cancel({ 'x-request-id': bad })).headers.get('x-request-id')).toMatch(UUID)
    }
  })

  test('is in the answer to every request, and in errors as reqId', async () => {
    const missing = await call(cloud, 'GET', '/api/nothing')
    expect(missing.body.reqId).toBe(missing.headers.get('x-request-id'))
    const stranger = await cancel({ 'x-api-key': 'wrong', 'x-request-id': 'mine' })
    expect([stranger.status, stranger.headers.get('x-request-id')]).toEqual([401, 'mine'])
    expect(stranger.body.reqId).toMatch(UUID)
  })
})

test('a trace has the request, its statements and the round trip to the device', async () => {
  const trace = 'ab'.repeat(16)
  const traceparent = PARENT.replace(TRACE, trace)
  const { headers } = await call(cloud, 'GET', `/api/orgs/${tenant.orgId}/api-keys`, {
    headers: { authorization: `Bearer ${cloud.ready.adminToken}`, traceparent },
  })
  expect(headers.get('x-request-id')).toBe(trace)
  await cancel({ traceparent })
  const named = (name: string) => spans.find((span) => span.traceId === trace && span.name === name)
  await eventually(() => expect(named('send demandResponseCancel')).toBeDefined(), 10_000)
  const request = named('GET /api/orgs/:orgId/api-keys')
  expect(request?.parentSpanId).toBe('00f067aa0ba902b7')
  expect(named('select')?.parentSpanId).toBe(request?.spanId)
  const command = spans.find(({ name, traceId }) => traceId === trace && name.startsWith('POST '))
  expect(named('send demandResponseCancel')?.parentSpanId).toBe(command?.spanId)
  expect(command?.name).toBe('POST /api/orgs/:orgId/edge-device-admin/:deviceId/cmd/demandResponseCancel')
})

test('a cloud that drains says so, keeps serving, ends streams with a hint, and finishes the command in flight', async () => {
  const url = `${cloud.ready.baseUrl}/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/live`
  const stream = await openStream(url, { authorization: `Bearer ${cloud.ready.adminToken}` })
  expect(stream.response.statusCode).toBe(200)
  expect(stream.response.headers['x-request-id']).toMatch(UUID)
  expect((await cancel()).headers.get('connection')).not.toBe('close')
  const ended = once(stream.response, 'end')

  const hurry = new AbortController()
  const stopped = cloud.stop({ drain: hurry.signal })
  const ready = await call(cloud, 'GET', '/readyz')
  expect([ready.status, ready.body.process]).toEqual([503, 'this process is about to stop; use another one'])
  expect((await call(cloud, 'GET', '/healthz')).status).toBe(200)
  const answer = await cancel()
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(stream.text()).not.toContain('retry:')

  holdNext = true
  const inFlight = cancel()
  await eventually(() => expect(answerHeld).toBeDefined())
  hurry.abort()
  await ended
  answerHeld?.()
  expect((await inFlight).status).toBe(200)
  await stopped
  expect(stream.text()).toMatch(/retry: \d+\n\n$/)
})
