import { randomUUID } from 'node:crypto'
import { eventually } from '@plantroom/testkit/eventually'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type Answer,
  addTenant,
  asOperator,
  call,
  commandPath,
  createKey,
  startTestCloud,
  type Tenant,
} from '../../testing/cloud.ts'
import { type Answering, connectDevice, type TestDevice } from '../../testing/device.ts'
import { wrapReply } from './command-routes.ts'

type Key = Awaited<ReturnType<typeof createKey>>

let cloud: Awaited<ReturnType<typeof startTestCloud>>
let tenant: Tenant
let apiKey: string
let device: TestDevice | undefined

beforeAll(async () => {
  cloud = await startTestCloud({ replyTimeoutMs: 1_500 })
  tenant = await addTenant(cloud, 'Organization')
  apiKey = (await createKey(cloud, tenant.orgId, ['edge-device:read_write'])).apiKey
})
afterEach(async () => {
  await device?.close()
  device = undefined
})
afterAll(() => cloud.stop())

async function online(answering: Answering): Promise<TestDevice> {
  device = await connectDevice(cloud.ready.mqttUrl, tenant, answering)
  await vi.waitFor(async () => expect(await isOnline()).toBe(true))
  return device
}

async function isOnline(): Promise<boolean> {
  const { body } = await asOperator(cloud, 'GET', `/api/orgs/${tenant.orgId}/devices`)
  return (body.devices as { online: boolean }[])[0]?.online === true
}

const send = (command: string, options: Parameters<typeof call>[3] = {}): Promise<Answer> =>
  call(cloud, 'POST', commandPath(tenant.orgId, tenant.deviceId, command), {
    ...options,
    headers: { 'x-api-key': apiKey, ...options.headers },
  })
const sendValues = (body: object = { data: { id: 'c1' } }) => send('getTechnicalConnectionValues', { body })

describe('a command the device answers', () => {
  test('returns the reply byte for byte, with the reqId', async () => {
    // Nothing on the way may change the spacing or the order of keys.
    const reply = '{ "b":1.0,  "a":"ö", "big": 12345678901234567890 }'
    const received: unknown[] = []
    await online((command, envelope) => {
      received.push(command, envelope.data, typeof envelope.deadline, envelope.reqId)
      return { status: 'ok', payload: reply }
    })
    const reqId = randomUUID()
    const response = await fetch(
      cloud.ready.baseUrl + commandPath(tenant.orgId, tenant.deviceId, 'getTechnicalConnectionValues'),
      {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ reqId, data: { id: 'c1' } }),
      },
    )
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch('application/json')
    expect(await response.text()).toBe(`{"reqId":"${reqId}","data":${reply}}`)
    expect(received).toEqual(['getTechnicalConnectionValues', { id: 'c1' }, 'number', reqId])
  })

  test('echoes the letter case of its reqId, even when the device rejects it', async () => {
    const reqIds = ['6F9619FF-8B86-4D01-B42D-00CF4FC964FF', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff']
    const received: unknown[] = []
    await online((_command, envelope) => {
      received.push(envelope.reqId)
      return received.length > 2 ? { status: 'rejected', payload: 'no' } : { status: 'ok', payload: '{}' }
    })
    const echoed: unknown[] = []
    for (const reqId of [...reqIds, ...reqIds])
      echoed.push((await sendValues({ reqId, data: { id: 'c1' } })).body.reqId)
    expect(echoed).toEqual([...reqIds, ...reqIds])
    expect(received).toEqual(echoed)
  })

  test('is rejected with a bounded, printable message, whatever the device sends', async () => {
    await online(() => ({ status: 'rejected', payload: `\u001b[31m\n${'x'.repeat(60_000)}` }))
    const { status, body } = await sendValues()
    expect(status).toBe(499)
    expect(String(body.message)).toMatch(/^\\u001b\[31m\\nx+…$/)
    expect(String(body.message).length).toBeLessThan(20_100)
  })

  test('gets a reqId when it has none', async () => {
    await online(() => ({ status: 'ok', payload: '{}' }))
    const { body } = await sendValues()
    expect(body.reqId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('gets the default limit and offset', async () => {
    let data: unknown
    await online((_command, envelope) => {
      data = envelope.data
      return { status: 'ok', payload: '{}' }
    })
    await send('getTechnicalDataPoints', { body: { data: { connectionId: 'c1', unknownField: true } } })
    expect(data).toMatchObject({ connectionId: 'c1', limit: 100, offset: 0 })
  })

  test('reaches the device with the id of the key that sent it', async () => {
    const keyIds: unknown[] = []
    await online((_command, envelope) => {
      keyIds.push(envelope.keyId)
      return { status: 'ok', payload: '{}' }
    })
    const keys = [1, 2].map(() => createKey(cloud, tenant.orgId, ['edge-device:read_write']))
    const [one, other] = (await Promise.all(keys)) as [Key, Key]
    for (const key of [one, other, one]) {
      await send('getTechnicalConnectionValues', { headers: { 'x-api-key': key.apiKey }, body: { data: { id: 'c1' } } })
    }
    expect(keyIds).toEqual([one.id, other.id, one.id])
    expect(one.id).not.toBe(other.id)
  })

  test('from the operator, for example commissioning, carries the caller "operator"', async () => {
    const keyIds: unknown[] = []
    await online((_command, envelope) => {
      keyIds.push(envelope.keyId)
      return { status: 'ok', payload: '{}' }
    })
    const path = `/api/orgs/${tenant.orgId}/devices/${tenant.deviceId}/commissioning`
    const connection = { name: 'Heat pump', protocol: 'modbus-tcp', settings: {}, datapoints: [] }
    const { status } = await asOperator(cloud, 'PUT', path, { technicalSystem: 'Heating', connections: [connection] })
    // The check before it, and the file.
    expect([status, keyIds]).toEqual([200, ['operator', 'operator']])
  })

  test('answers 499 with the message of a device that rejects it', async () => {
    await online(() => ({ status: 'rejected', payload: 'datapoint x is not on this device' }))
    const reqId = randomUUID()
    const { status, body } = await sendValues({ reqId, data: { id: 'c1' } })
    expect(status).toBe(499)
    expect(body).toEqual({ message: 'datapoint x is not on this device', code: 'DEVICE_REJECTED', reqId })
  })

  test('needs no database', async () => {
    await online(() => ({ status: 'ok', payload: '{}' }))
    const client = new pg.Client({ connectionString: cloud.config.databaseUrl })
    await client.connect()
    try {
      const { rows } = await client.query<{ table: string }>(
        `SELECT format('%I', relname) AS table FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      )
      await client.query(`BEGIN; LOCK TABLE ${rows.map(({ table }) => table).join()} IN ACCESS EXCLUSIVE MODE`)
      expect((await sendValues()).status).toBe(200)
    } finally {
      await client.end()
    }
  })

  test('gets its own reply, whatever the order', async () => {
    const replies: (() => void)[] = []
    const { client } = await online(() => undefined)
    client.on('message', (topic, payload) => {
      const [, deviceId, kind, , cloudId, correlationId] = topic.split('/')
      if (kind !== 'command') return
      const { id } = JSON.parse(payload.toString()).data
      replies.push(() =>
        client.publish(`plantroom/${deviceId}/reply/${cloudId}/${correlationId}/ok`, JSON.stringify({ id })),
      )
      if (replies.length === 20) for (const reply of replies.toReversed()) reply()
    })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sendValues({ data: { id: `c${index}` } })),
    )
    expect(answers.map(({ body }) => (body.data as { id: string }).id)).toEqual(answers.map((_, index) => `c${index}`))
  })
})

describe('a wrapped reply', () => {
  test('is valid JSON with the exact bytes of the device, whatever the reqId contains', () => {
    const reqId = '"}, \\ \n'
    const bytes = wrapReply(reqId, Buffer.from('{ "big": 12345678901234567890 }'))
    expect(JSON.parse(bytes.toString())).toEqual({ reqId, data: { big: expect.any(Number) } })
    expect(bytes.toString()).toContain('"data":{ "big": 12345678901234567890 }}')
  })
})

describe('a device that lies', () => {
  test.each([
    '1},"reqId":"forged","x":{"a":1',
    '1,"reqId":"forged"',
    '',
    'nothing',
    '{}{}',
    '{},"reqId":"forged","x":{}',
  ])('cannot change the envelope of the answer with %s', async (payload) => {
    await online(() => ({ status: 'ok', payload }))
    const reqId = '11111111-1111-4111-8111-111111111111'
    await eventually(async () => {
      const { status, body } = await sendValues({ reqId, data: { id: 'c' } })
      expect([status, body.reqId, body.message]).toEqual([502, reqId, expect.stringContaining('not JSON')])
    })
  })
})

describe('a device that does not answer', () => {
  test('answers 502 immediately when it is not connected', async () => {
    const { status, body } = await sendValues()
    expect(status).toBe(502)
    expect(body).toMatchObject({ code: 'DEVICE_OFFLINE', message: expect.stringContaining('offline') })
  })

  test('answers 502 after the timeout, and warns that the command may have arrived', async () => {
    await online(() => undefined)
    const { status, body } = await sendValues()
    expect(status).toBe(502)
    expect(body.message).toContain('did not answer within 1.5 s')
    expect(body.message).toContain('safely send it again with the same reqId')
  })

  test('answers 502 from the moment it disconnects until it reconnects', async () => {
    const { promise: arrived, resolve: asked } = Promise.withResolvers<void>()
    const { vanish } = await online(() => void asked())
    const answer = sendValues()
    await arrived
    vanish()
    expect((await answer).body.message).toContain('went offline before it answered')
    expect((await sendValues()).body.message).toContain('is offline')
    await online(() => ({ status: 'ok', payload: '{}' }))
    expect((await sendValues()).status).toBe(200)
  })
})

describe('an invalid body', () => {
  const cases: [string, string, unknown, string, string][] = [
    ['getTechnicalDataPoints', 'no data', {}, 'data', 'is missing'],
    ['getTechnicalDataPoints', 'data is a list', { data: [] }, 'data', 'must be of type object'],
    ['getTechnicalDataPoints', 'no connection', { data: {} }, 'data.connectionId', 'is missing'],
    ['getTechnicalDataPoints', 'limit 0', { data: { connectionId: 'c', limit: 0 } }, 'data.limit', 'at least 1'],
    [
      'getTechnicalDataPoints',
      'limit 1001',
      { data: { connectionId: 'c', limit: 1001 } },
      'data.limit',
      'at most 1000',
    ],
    ['getTechnicalDataPoints', 'limit 1.5', { data: { connectionId: 'c', limit: 1.5 } }, 'data.limit', 'type integer'],
    [
      'getTechnicalDataPoints',
      'limit as text',
      { data: { connectionId: 'c', limit: '5' } },
      'data.limit',
      'type integer',
    ],
    ['getTechnicalDataPoints', 'offset -1', { data: { connectionId: 'c', offset: -1 } }, 'data.offset', 'at least 0'],
    ['getTechnicalConnectionValues', 'id a number', { data: { id: 5 } }, 'data.id', 'type string'],
    [
      'getTechnicalConnectionValues',
      'reqId not a UUID',
      { reqId: 'abc', data: { id: 'c' } },
      'reqId',
      'must be a UUID',
    ],
    ['getTechnicalConnectionValues', 'reqId null', { reqId: null, data: { id: 'c' } }, 'reqId', 'type string'],
    ['demandResponseOverride', 'value as text', override({ value: '5' }), 'data.value', 'finite number'],
    ['demandResponseOverride', 'value null', override({ value: null }), 'data.value', 'finite number'],
    ['demandResponseOverride', 'no zone', override({ from: '2026-01-01T00:00:00' }), 'data.from', 'with a zone'],
    ['demandResponseOverride', 'a date', override({ to: '2026-01-01' }), 'data.to', 'with a zone'],
    ['demandResponseOverride', '30 February', override({ to: '2026-02-30T00:00:00Z' }), 'data.to', 'with a zone'],
    ['demandResponseCancel', 'no id', { data: {} }, 'data.id', 'is missing'],
  ]

  function override(changes: object): object {
    return {
      data: { datapointId: 'd', value: 1, from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00+02:00', ...changes },
    }
  }

  test.each(cases)('of %s (%s) answers 400 and names the field', async (command, _what, body, field, message) => {
    const { status, body: answer } = await send(command, { body })
    expect(status).toBe(400)
    expect(answer).toMatchObject({ code: 'INVALID', field, message: expect.stringContaining(message) })
    expect(answer.message).toContain(field)
  })

  test('with a number beyond the range of a double answers 400', async () => {
    const raw = JSON.stringify(override({})).replace('"value":1', '"value":1e400')
    const { status, body } = await send('demandResponseOverride', { raw })
    expect([status, body.field]).toEqual([400, 'data.value'])
  })

  test('of an unknown command answers 400 and lists the commands', async () => {
    const { status, body } = await send('getEverything', { body: { data: {} } })
    expect(status).toBe(400)
    for (const command of [
      'getTechnicalDataPoints',
      'getTechnicalConnectionValues',
      'demandResponseOverride',
      'demandResponseCancel',
    ]) {
      expect(body.message).toContain(command)
    }
  })

  test.each([
    ['malformed JSON', { raw: '{"data":' }, 400, 'INVALID'],
    ['an empty body', { raw: '' }, 400, 'INVALID'],
    ['a text with U+0000', { raw: '{"data":{"id":"a\\u0000b"}}' }, 400, 'INVALID'],
    ['a list', { raw: '[1]' }, 400, 'INVALID'],
    ['another content type', { raw: 'a=1', headers: { 'content-type': 'text/plain' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['more than 64 KiB', { raw: JSON.stringify({ data: { id: 'x'.repeat(66_000) } }) }, 413, 'TOO_LARGE'],
  ] as const)('with %s answers in the format of all errors', async (_what, options, status, code) => {
    const answer = await send('getTechnicalConnectionValues', options)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({
      code,
      message: expect.any(String),
      reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('does not include an escaped backslash before u0000', async () => {
    await online((_command, envelope) => ({ status: 'ok', payload: JSON.stringify(envelope.data) }))
    const { body } = await send('getTechnicalConnectionValues', { raw: '{"data":{"id":"a\\\\u0000b"}}' })
    expect(body.data).toEqual({ id: 'a\\u0000b' })
  })

  test('gets its reqId back in the error, even when the key is refused', async () => {
    const reqId = randomUUID()
    const invalid = await sendValues({ reqId, data: {} })
    const refused = await send('getTechnicalConnectionValues', {
      headers: { 'x-api-key': 'none' },
      body: { reqId, data: { id: 'x' } },
    })
    expect([invalid.body.reqId, refused.body.reqId]).toEqual([reqId, reqId])
  })
})
