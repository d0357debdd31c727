import { ApiError } from '@plantroom/client/http'
import { createPartnerClient } from '@plantroom/client/partner'
import { sendJson, startServer } from '@plantroom/client/testing/server'
import { type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { envelopeProblem, type Order, placeOverride, withRetryHint } from './place-override.ts'

const REQ_ID = '0b9a2c7e-5d0f-4c51-9d5e-2f1a3b4c5d6e'
const FROM = '2030-01-01T12:00:00.000Z'
const TO = '2030-01-01T12:15:00.000Z'
const INVERTER = { id: 'con_1', name: 'Inverter' }
const SPARE = { id: 'con_2', name: 'Spare battery' }

const writable = (id: string, name: string, connectionId: string) =>
  aDatapoint({ id, name, connectionId, accessType: 'READ_WRITE', writeInputData: { min: -50, max: 50 } })

const ON_DEVICE: Readonly<Record<string, readonly Datapoint[]>> = {
  con_1: [writable('dp_1', 'Charge power', 'con_1'), aDatapoint({ id: 'dp_2', name: 'State', connectionId: 'con_1' })],
  con_2: [writable('dp_3', 'Reserve', 'con_2'), aDatapoint({ id: 'dp_4', name: 'State', connectionId: 'con_2' })],
}

const ORDER: Order = {
  datapoint: 'Charge power',
  value: -20,
  window: { from: Date.parse(FROM), to: Date.parse(TO) },
  reqId: REQ_ID,
  force: false,
  connections: [INVERTER, SPARE],
  strict: false,
}

/** A device that knows its datapoints; `answer` is what it says to an override: a status and a body. */
async function device(answer: { status: number; body: object } = { status: 200, body: { data: { id: 'ovr_1' } } }) {
  const { url, requests } = await startServer(({ path, body }, response) => {
    if (path?.endsWith('/demandResponseOverride')) return sendJson(response, answer.status, answer.body)
    const { connectionId } = JSON.parse(body).data
    const datapoints = ON_DEVICE[connectionId]
    if (datapoints) return sendJson(response, 200, { data: { count: datapoints.length, datapoints } })
    sendJson(response, 499, { message: `connection ${connectionId} is not loaded`, code: 'DEVICE_REJECTED' })
  })
  const partner = createPartnerClient({ baseUrl: url, apiKey: 'k', orgId: 'o', deviceId: 'd' })
  const warnings: string[] = []
  const dispatched = () =>
    requests.filter(({ path }) => path?.endsWith('/demandResponseOverride')).map(({ body }) => JSON.parse(body))
  const place = (about: Partial<Order> = {}) =>
    placeOverride({ ...ORDER, ...about }, { partner, warn: (text) => warnings.push(text) })
  return { place, dispatched, warnings }
}

describe('placing an override', () => {
  test.each(['Charge power', 'dp_1'])('on %s dispatches to its id, with the reqId of the order', async (datapoint) => {
    const { place, dispatched, warnings } = await device()
    const wanted = { datapointId: 'dp_1', value: -20, from: FROM, to: TO }
    expect(await place({ datapoint })).toEqual({ id: 'ovr_1', reqId: REQ_ID, ...wanted })
    expect(dispatched()).toEqual([{ reqId: REQ_ID, data: wanted }])
    expect(warnings).toEqual([])
  })

  test('outside the envelope is refused before it is dispatched, and passed by force', async () => {
    const { place, dispatched } = await device()
    await expect(place({ value: -80 })).rejects.toThrow(/^-80 is outside -50 to 50, .* --force passes it$/)
    expect(dispatched()).toEqual([])
    await place({ value: -80, force: true })
    expect(dispatched()).toMatchObject([{ data: { datapointId: 'dp_1', value: -80 } }])
  })

  test('on a name that two connections share is a question, and none once the connection is said', async () => {
    const { place, dispatched } = await device()
    await expect(place({ datapoint: 'State' })).rejects.toThrow(UsageError)
    await expect(place({ datapoint: 'State' })).rejects.toThrow(/dp_2 \(Inverter\), dp_4 \(Spare battery\)$/)
    expect(dispatched()).toEqual([])
    await place({ datapoint: 'State', connections: [SPARE], strict: true })
    expect(dispatched()).toMatchObject([{ data: { datapointId: 'dp_4' } }])
  })

  test.each([
    ['no connection is known', []],
    ['the known ones do not have it', [INVERTER]],
    ['the known ones are not on the device any more', [{ id: 'con_gone', name: 'Gone' }]],
  ])('goes on with a warning when %s', async (_why, connections) => {
    const { place, dispatched, warnings } = await device()
    await place({ datapoint: 'dp_9', value: 9e9, connections })
    expect(dispatched()).toMatchObject([{ data: { datapointId: 'dp_9', value: 9e9 } }])
    expect(warnings).toEqual(['the envelope of dp_9 is not checked: it is on no known connection, say --connection ID'])
  })

  test('by force does not warn about what was not checked', async () => {
    const { place, warnings } = await device()
    await place({ datapoint: 'dp_9', connections: [], force: true })
    expect(warnings).toEqual([])
  })

  test('on a connection that was said fails when the device, or the connection, does not have it', async () => {
    const { place, dispatched } = await device()
    const gone = { id: 'con_gone', name: 'Gone' }
    await expect(place({ connections: [gone], strict: true })).rejects.toThrow('connection con_gone is not loaded')
    await expect(place({ connections: [SPARE], strict: true })).rejects.toThrow(
      'Spare battery has no datapoint Charge power',
    )
    expect(dispatched()).toEqual([])
  })

  test('that may have reached the device says how to repeat it as the same request', async () => {
    const { place } = await device({
      status: 502,
      body: { message: 'the device did not answer', code: 'DEVICE_OFFLINE' },
    })
    const error = await place().catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 502,
      code: 'DEVICE_OFFLINE',
      message: `the device did not answer; safe to run again with --from ${FROM} --req-id ${REQ_ID}`,
    })
  })

  test('that the device rejects is told in its words alone', async () => {
    const { place } = await device({ status: 499, body: { message: '`to` is in the past', code: 'DEVICE_REJECTED' } })
    await expect(place()).rejects.toMatchObject({ status: 499, message: '`to` is in the past' })
  })
})

describe('advice to repeat', () => {
  const advised = (error: unknown) => {
    try {
      return withRetryHint('--req-id x')(error)
    } catch (thrown) {
      return thrown as Error
    }
  }

  test.each([
    ['the link broke', new Error('cannot be reached')],
    ['a proxy gave up', new ApiError(504, {})],
    ['the service failed', new ApiError(500, {})],
  ])('is given when %s', (_what, error) => {
    expect(advised(error).message).toBe(`${error.message}; safe to run again with --req-id x`)
  })

  test.each([400, 401, 403, 499])('is not given after a refusal with %d: nothing was done', (status) => {
    const error = new ApiError(status, { message: 'no' })
    expect(advised(error)).toBe(error)
  })
})

const TENTHS = { inputValue1: 0, outputValue1: 0, inputValue2: 100, outputValue2: 1000 }
const POWER = { name: 'Charge power', writeInputData: { min: -50, max: 50 }, scaler: TENTHS }

describe('a value', () => {
  test.each([-50, -20, 0, 49.9, 50])('of %d is within its envelope, whose ends belong to it', (value) => {
    expect(envelopeProblem(POWER, value)).toBeUndefined()
  })

  test.each([-50.1, 50.000001, 1e300, -1e300])('of %d is outside', (value) => {
    expect(envelopeProblem(POWER, value)).toContain(`${value} is outside -50 to 50, the envelope of Charge power`)
  })

  test('outside is told in one line, with what the equipment would get and how to pass it', () => {
    expect(envelopeProblem(POWER, -80.1)).toBe(
      '-80.1 is outside -50 to 50, the envelope of Charge power: the equipment would be sent -80.1 (raw -801), nothing clamps it; --force passes it',
    )
  })

  test('that is not scaled is not told twice', () => {
    expect(envelopeProblem({ ...POWER, scaler: IDENTITY_SCALER }, 80)).toContain('would be sent 80, nothing clamps it')
  })

  test('of a scaler that is no line is told without the raw value', () => {
    const point = { ...POWER, scaler: { ...TENTHS, inputValue2: 0 } }
    expect(envelopeProblem(point, 80)).toContain('would be sent 80, nothing clamps it')
  })

  test('is not judged where no envelope is known', () => {
    expect(envelopeProblem({ name: 'Grid power', scaler: TENTHS }, 1e9)).toBeUndefined()
  })
})
