import { describe, expect, test } from 'vitest'
import { ApiError, createSend } from './http.ts'
import { createCommands, createPartnerClient } from './partner.ts'
import { sendJson, startServer } from './testing/server.ts'

interface Page {
  connectionId: string
  limit: number
  offset: number
}

const idsFrom = (first: number, count: number) =>
  Array.from({ length: Math.max(0, count) }, (_, index) => ({ id: `dp_${first + index}` }))

/** A partner's client of a service that answers each command's data with what `reply` gives. */
async function partnerOf(reply: (data: Page) => unknown) {
  const { url, requests } = await startServer((asked, response) => {
    const { reqId, data } = JSON.parse(asked.body)
    sendJson(response, 200, { reqId, data: reply(data) })
  })
  const partner = createPartnerClient({ baseUrl: url, apiKey: 'plr_key', orgId: 'org_1', deviceId: 'dev_1' })
  const bodies = () => requests.map(({ body }) => JSON.parse(body) as { reqId: string; data: Page })
  return { partner, requests, bodies }
}

describe('the datapoints of a connection', () => {
  test('are fetched page by page until all are there', async () => {
    const { partner, bodies } = await partnerOf(({ limit, offset }) => ({
      count: 2500,
      datapoints: idsFrom(offset, Math.min(limit, 2500 - offset)),
    }))
    const found = await partner.datapoints('conn_1')
    expect(found.map(({ id }) => id)).toEqual(idsFrom(0, 2500).map(({ id }) => id))
    expect(bodies().map(({ data }) => data)).toEqual([
      { connectionId: 'conn_1', limit: 1000, offset: 0 },
      { connectionId: 'conn_1', limit: 1000, offset: 1000 },
      { connectionId: 'conn_1', limit: 1000, offset: 2000 },
    ])
  })

  test('are fetched at once when a page is full and the last', async () => {
    const { partner, requests } = await partnerOf(() => ({ count: 1000, datapoints: idsFrom(0, 1000) }))
    expect(await partner.datapoints('conn_1')).toHaveLength(1000)
    expect(requests).toHaveLength(1)
  })

  test('go on from what came, where the service gives smaller pages than asked', async () => {
    const { partner, bodies } = await partnerOf(({ offset }) => ({
      count: 5,
      datapoints: idsFrom(offset, Math.min(2, 5 - offset)),
    }))
    expect(await partner.datapoints('conn_1')).toHaveLength(5)
    expect(bodies().map(({ data }) => data.offset)).toEqual([0, 2, 4])
  })

  test('are none on a connection that has none', async () => {
    const { partner } = await partnerOf(() => ({ count: 0, datapoints: [] }))
    expect(await partner.datapoints('conn_1')).toEqual([])
  })

  test('end with an empty page, whatever the count: it may have shrunk meanwhile', async () => {
    const { partner, requests } = await partnerOf(({ offset }) => ({
      count: 9,
      datapoints: idsFrom(offset, 3 - offset),
    }))
    expect(await partner.datapoints('conn_1')).toHaveLength(3)
    expect(requests).toHaveLength(2)
  })
})

describe('a partner’s command', () => {
  test('goes to its device with the key, and a reqId of its own each time', async () => {
    const { partner, requests, bodies } = await partnerOf(() => ({ connectionId: 'conn_1', values: {} }))
    expect(await partner.values('conn_1')).toEqual({ connectionId: 'conn_1', values: {} })
    await partner.values('conn_1')
    expect(requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/orgs/org_1/edge-device-admin/dev_1/cmd/getTechnicalConnectionValues',
      headers: { 'x-api-key': 'plr_key', 'content-type': 'application/json' },
    })
    expect(bodies()[0]?.data).toEqual({ id: 'conn_1' })
    expect(new Set(bodies().map(({ reqId }) => reqId)).size).toBe(2)
  })

  test('may be sent for somebody without a key, such as a person in a browser', async () => {
    const { url, requests } = await startServer((_asked, response) =>
      sendJson(response, 200, { data: { id: 'ovr_1' } }),
    )
    const commands = createCommands(createSend(url, { cookie: 'session' }), { orgId: 'org_1', deviceId: 'dev_1' })
    await commands.override({ datapointId: 'dp_1', value: 1, from: 'f', to: 't' })
    expect(requests[0]?.path).toBe('/api/orgs/org_1/edge-device-admin/dev_1/cmd/demandResponseOverride')
    expect(requests[0]?.headers).toMatchObject({ cookie: 'session' })
    expect(requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  test('stays below its path, whatever the ids', async () => {
    const { url, requests } = await startServer((_asked, response) => sendJson(response, 200, { data: {} }))
    await createPartnerClient({ baseUrl: url, apiKey: 'k', orgId: '../a', deviceId: 'b/c?d#e' }).values('conn_1')
    expect(requests[0]?.path).toBe('/api/orgs/..%2Fa/edge-device-admin/b%2Fc%3Fd%23e/cmd/getTechnicalConnectionValues')
  })

  test('that the device rejects is an error with its words', async () => {
    const { url } = await startServer((_asked, response) =>
      sendJson(response, 499, { message: 'connection x is not loaded on this device', code: 'DEVICE_REJECTED' }),
    )
    const partner = createPartnerClient({ baseUrl: url, apiKey: 'k', orgId: 'o', deviceId: 'd' })
    const error = await partner.datapoints('x').catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 499, code: 'DEVICE_REJECTED' })
  })
})

describe('an override', () => {
  const WINDOW = { datapointId: 'dp_1', value: -20, from: '2030-01-01T00:00:00Z', to: '2030-01-01T00:15:00Z' }
  const REQ_ID = '0b9a2c7e-5d0f-4c51-9d5e-2f1a3b4c5d6e'

  test('is placed with what it says and nothing more, and gives its id and the reqId that was used', async () => {
    const { partner, requests, bodies } = await partnerOf(() => ({ id: 'ovr_1' }))
    const placed = await partner.override(WINDOW)
    expect(requests[0]?.path).toMatch(/\/demandResponseOverride$/)
    expect(bodies()).toEqual([{ reqId: placed.reqId, data: WINDOW }])
    expect(placed).toEqual({ id: 'ovr_1', reqId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  test('that is sent again keeps the reqId of the caller', async () => {
    const { partner, bodies } = await partnerOf(() => ({ id: 'ovr_1' }))
    expect(await partner.override({ ...WINDOW, reqId: REQ_ID })).toEqual({ id: 'ovr_1', reqId: REQ_ID })
    await partner.override({ ...WINDOW, reqId: REQ_ID })
    expect(bodies()).toEqual([
      { reqId: REQ_ID, data: WINDOW },
      { reqId: REQ_ID, data: WINDOW },
    ])
  })

  test('that may have reached the device tells the reqId to send it again with', async () => {
    const { url } = await startServer((asked, response) =>
      sendJson(response, 502, { message: 'silent', code: 'DEVICE_OFFLINE', reqId: JSON.parse(asked.body).reqId }),
    )
    const partner = createPartnerClient({ baseUrl: url, apiKey: 'k', orgId: 'o', deviceId: 'd' })
    await expect(partner.override({ ...WINDOW, reqId: REQ_ID })).rejects.toMatchObject({ status: 502, reqId: REQ_ID })
  })

  test('is cancelled by its id, with a reqId of the caller or a new one', async () => {
    const { partner, requests, bodies } = await partnerOf(() => ({ success: true }))
    expect(await partner.cancel('ovr_1', REQ_ID)).toEqual({ success: true, reqId: REQ_ID })
    const { reqId } = await partner.cancel('ovr_1')
    expect(requests[0]?.path).toMatch(/\/demandResponseCancel$/)
    expect(bodies()).toEqual([
      { reqId: REQ_ID, data: { id: 'ovr_1' } },
      { reqId, data: { id: 'ovr_1' } },
    ])
    expect(reqId).not.toBe(REQ_ID)
  })
})
