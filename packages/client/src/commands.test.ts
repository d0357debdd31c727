import { describe, expect, test } from 'vitest'
import { createClient } from './client.ts'
import { createCommands } from './commands.ts'
import { ApiError, createSend, sendWithKey } from './http.ts'
import { sendJson, startServer } from './testing/server.ts'

interface Page {
  connectionId: string
  limit: number
  offset: number
}

const idsFrom = (first: number, count: number) =>
  Array.from({ length: Math.max(0, count) }, (_, index) => ({ id: `dp_${first + index}` }))

const DEVICE = { orgId: 'org_1', deviceId: 'dev_1' }

const commandsAt = (url: string, device = DEVICE) => createCommands(createClient(sendWithKey(url, 'plr_key')), device)

/** Starts a service that replies to each command with the result of `reply`. */
async function startDevice(reply: (data: Page) => unknown) {
  const { url, requests } = await startServer(({ body }, response) => {
    const { reqId, data } = JSON.parse(body)
    sendJson(response, 200, { reqId, data: reply(data) })
  })
  const bodies = () => requests.map(({ body }) => JSON.parse(body) as { reqId: string; data: Page })
  return { commands: commandsAt(url), requests, bodies }
}

describe('the datapoints of a connection', () => {
  test('are fetched page by page until the list is complete', async () => {
    const { commands, bodies } = await startDevice(({ limit, offset }) => ({
      count: 2500,
      datapoints: idsFrom(offset, Math.min(limit, 2500 - offset)),
    }))
    const found = await commands.datapoints('conn_1')
    expect(found.map(({ id }) => id)).toEqual(idsFrom(0, 2500).map(({ id }) => id))
    expect(bodies().map(({ data }) => data)).toEqual([
      { connectionId: 'conn_1', limit: 1000, offset: 0 },
      { connectionId: 'conn_1', limit: 1000, offset: 1000 },
      { connectionId: 'conn_1', limit: 1000, offset: 2000 },
    ])
  })

  test('are fetched with one request if they fill exactly one page', async () => {
    const { commands, requests } = await startDevice(() => ({ count: 1000, datapoints: idsFrom(0, 1000) }))
    expect(await commands.datapoints('conn_1')).toHaveLength(1000)
    expect(requests).toHaveLength(1)
  })

  test('continue after the last one received if the service returns smaller pages than requested', async () => {
    const { commands, bodies } = await startDevice(({ offset }) => ({
      count: 5,
      datapoints: idsFrom(offset, Math.min(2, 5 - offset)),
    }))
    expect(await commands.datapoints('conn_1')).toHaveLength(5)
    expect(bodies().map(({ data }) => data.offset)).toEqual([0, 2, 4])
  })

  test('are an empty list on a connection without datapoints', async () => {
    const { commands } = await startDevice(() => ({ count: 0, datapoints: [] }))
    expect(await commands.datapoints('conn_1')).toEqual([])
  })

  test('end with an empty page even if the count says more, because it may have shrunk', async () => {
    const { commands, requests } = await startDevice(({ offset }) => ({
      count: 9,
      datapoints: idsFrom(offset, 3 - offset),
    }))
    expect(await commands.datapoints('conn_1')).toHaveLength(3)
    expect(requests).toHaveLength(2)
  })
})

describe('a command', () => {
  test('is sent to the device with the API key and a new reqId each time', async () => {
    const { commands, requests, bodies } = await startDevice(() => ({ connectionId: 'conn_1', values: {} }))
    expect(await commands.values('conn_1')).toEqual({ connectionId: 'conn_1', values: {} })
    await commands.values('conn_1')
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/orgs/org_1/edge-device-admin/dev_1/cmd/getTechnicalConnectionValues',
      headers: { 'x-api-key': 'plr_key', 'content-type': 'application/json' },
    })
    expect(bodies()[0]?.data).toEqual({ id: 'conn_1' })
    expect(new Set(bodies().map(({ reqId }) => reqId)).size).toBe(2)
  })

  test('can be sent with a session instead of a key', async () => {
    const { url, requests } = await startServer((_received, response) =>
      sendJson(response, 200, { data: { id: 'ovr_1' } }),
    )
    const commands = createCommands(createClient(createSend(url, { cookie: 'session' })), DEVICE)
    await commands.override({ datapointId: 'dp_1', value: 1, from: 'f', to: 't' })
    expect(requests[0]?.path).toBe('/api/orgs/org_1/edge-device-admin/dev_1/cmd/demandResponseOverride')
    expect(requests[0]?.headers).toMatchObject({ cookie: 'session' })
    expect(requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  test('encodes ids, so that no id can change the path', async () => {
    const { url, requests } = await startServer((_received, response) => sendJson(response, 200, { data: {} }))
    await commandsAt(url, { orgId: '../a', deviceId: 'b/c?d#e' }).values('conn_1')
    expect(requests[0]?.path).toBe('/api/orgs/..%2Fa/edge-device-admin/b%2Fc%3Fd%23e/cmd/getTechnicalConnectionValues')
  })

  test('that the device rejects fails with the message of the device', async () => {
    const { url } = await startServer((_received, response) =>
      sendJson(response, 499, { message: 'connection x is not loaded on this device', code: 'DEVICE_REJECTED' }),
    )
    const error = await commandsAt(url)
      .datapoints('x')
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 499, code: 'DEVICE_REJECTED' })
  })
})

describe('an override', () => {
  const WINDOW = { datapointId: 'dp_1', value: -20, from: '2030-01-01T00:00:00Z', to: '2030-01-01T00:15:00Z' }
  const REQ_ID = '0b9a2c7e-5d0f-4c51-9d5e-2f1a3b4c5d6e'

  test('is sent with exactly its fields, and returns its id and the reqId', async () => {
    const { commands, requests, bodies } = await startDevice(() => ({ id: 'ovr_1' }))
    const placed = await commands.override(WINDOW)
    expect(requests[0]?.path).toMatch(/\/demandResponseOverride$/)
    expect(bodies()).toEqual([{ reqId: placed.reqId, data: WINDOW }])
    expect(placed).toEqual({ id: 'ovr_1', reqId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  test('sent again keeps the reqId of the caller', async () => {
    const { commands, bodies } = await startDevice(() => ({ id: 'ovr_1' }))
    expect(await commands.override({ ...WINDOW, reqId: REQ_ID })).toEqual({ id: 'ovr_1', reqId: REQ_ID })
    await commands.override({ ...WINDOW, reqId: REQ_ID })
    expect(bodies()).toEqual([
      { reqId: REQ_ID, data: WINDOW },
      { reqId: REQ_ID, data: WINDOW },
    ])
  })

  test('that may have reached the device fails with the reqId to retry with', async () => {
    const { url } = await startServer(({ body }, response) =>
      sendJson(response, 502, { message: 'silent', code: 'DEVICE_OFFLINE', reqId: JSON.parse(body).reqId }),
    )
    await expect(commandsAt(url).override({ ...WINDOW, reqId: REQ_ID })).rejects.toMatchObject({
      status: 502,
      reqId: REQ_ID,
    })
  })

  test('is cancelled by its id, with the reqId of the caller or a new one', async () => {
    const { commands, requests, bodies } = await startDevice(() => ({ success: true }))
    expect(await commands.cancel('ovr_1', REQ_ID)).toEqual({ success: true, reqId: REQ_ID })
    const { reqId } = await commands.cancel('ovr_1')
    expect(requests[0]?.path).toMatch(/\/demandResponseCancel$/)
    expect(bodies()).toEqual([
      { reqId: REQ_ID, data: { id: 'ovr_1' } },
      { reqId, data: { id: 'ovr_1' } },
    ])
    expect(reqId).not.toBe(REQ_ID)
  })
})
