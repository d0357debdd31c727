import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { ApiError, sendWithKey } from '@plantroom/client/http'
import { sendJson, startServer } from '@plantroom/client/testing/server'
import { type Datapoint, IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { createDirectory } from '../../directory.ts'
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

/** As commissioned, with limits that the datapoints of the contract do not show. */
const SYSTEM = aSystem('sys_1', [
  aConnection({ ...INVERTER, datapoints: ON_DEVICE.con_1 ?? [] }),
  aConnection({
    ...SPARE,
    datapoints: [
      aDatapoint({ id: 'dp_3', name: 'Reserve', accessType: 'READ_WRITE', limits: { min: -5, max: 5 } }),
      aDatapoint({ id: 'dp_4', name: 'State' }),
    ],
  }),
  aConnection({ id: 'con_gone', name: 'Gone', datapoints: [aDatapoint({ id: 'dp_5', name: 'Lost' })] }),
])

const ORDER: Order = {
  datapoint: 'Charge power',
  value: -20,
  window: { from: Date.parse(FROM), to: Date.parse(TO) },
  reqId: REQ_ID,
  force: false,
}

/** A device with these datapoints; `answer` is the status and body of its reply to an override. */
async function device(answer: { status: number; body: object } = { status: 200, body: { data: { id: 'ovr_1' } } }) {
  const { url, requests } = await startServer(({ path, body }, response) => {
    if (path?.endsWith('/technical-systems')) return sendJson(response, 200, { technicalSystems: [SYSTEM] })
    if (path?.endsWith('/demandResponseOverride')) return sendJson(response, answer.status, answer.body)
    const { connectionId } = JSON.parse(body).data
    const datapoints = ON_DEVICE[connectionId]
    if (datapoints) return sendJson(response, 200, { data: { count: datapoints.length, datapoints } })
    sendJson(response, 499, { message: `connection ${connectionId} is not loaded`, code: 'DEVICE_REJECTED' })
  })
  const client = createClient(sendWithKey(url, 'k'))
  const commands = createCommands(client, { orgId: 'o', deviceId: 'd' })
  const known = createDirectory({ client, operator: undefined, orgId: 'o' })
  const directory = { ...known, learn: () => known.learn(['d']) }
  const warnings: string[] = []
  const dispatched = () =>
    requests.filter(({ path }) => path?.endsWith('/demandResponseOverride')).map(({ body }) => JSON.parse(body))
  const place = (about: Partial<Order> = {}) =>
    placeOverride({ ...ORDER, ...about }, { commands, directory, warn: (text) => warnings.push(text) })
  return { place, dispatched, warnings }
}

describe('placing an override outside the limits', () => {
  test.each([
    ['Reserve', 6, '6 is above 5, the upper limit of Reserve, so the controller would refuse it; nothing was sent'],
    ['dp_3', -5.5, '-5.5 is below -5, the lower limit of Reserve, so the controller would refuse it; nothing was sent'],
  ])('is refused before it is sent, even with --force: %s at %d', async (datapoint, value, message) => {
    const { place, dispatched } = await device()
    for (const force of [false, true]) await expect(place({ datapoint, value, force })).rejects.toThrow(message)
    expect(dispatched()).toEqual([])
    await place({ datapoint, value: 5, reason: 'grid alarm' })
    expect(dispatched()).toMatchObject([{ data: { value: 5, reason: 'grid alarm' } }])
  })
})

describe('placing an override', () => {
  test.each(['Charge power', 'dp_1'])('on %s sends the datapoint id and the given reqId', async (datapoint) => {
    const { place, dispatched, warnings } = await device()
    const wanted = { datapointId: 'dp_1', value: -20, from: FROM, to: TO }
    expect(await place({ datapoint })).toEqual({ id: 'ovr_1', reqId: REQ_ID, ...wanted })
    expect(dispatched()).toEqual([{ reqId: REQ_ID, data: wanted }])
    expect(warnings).toEqual([])
  })

  test('outside the envelope fails before it is sent, unless forced', async () => {
    const { place, dispatched } = await device()
    await expect(place({ value: -80 })).rejects.toThrow(/^-80 is outside -50 to 50, .* use --force to send it anyway$/)
    expect(dispatched()).toEqual([])
    await place({ value: -80, force: true })
    expect(dispatched()).toMatchObject([{ data: { datapointId: 'dp_1', value: -80 } }])
  })

  test('by a name that two connections share fails until the connection is given', async () => {
    const { place, dispatched } = await device()
    await expect(place({ datapoint: 'State' })).rejects.toThrow(UsageError)
    await expect(place({ datapoint: 'State' })).rejects.toThrow(/dp_2 \(Inverter\), dp_4 \(Spare battery\)$/)
    expect(dispatched()).toEqual([])
    await place({ datapoint: 'State', connection: 'Spare battery' })
    expect(dispatched()).toMatchObject([{ data: { datapointId: 'dp_4' } }])
  })

  test.each([
    ['dp_9', 'the controller has no datapoint dp_9; check the id'],
    ['Charge powr', 'there is no datapoint Charge powr (did you mean Charge power?)'],
    ['Lost', 'connection con_gone is not loaded'],
  ])('on the unknown datapoint %s fails before it is sent', async (datapoint, message) => {
    const { place, dispatched } = await device()
    await expect(place({ datapoint })).rejects.toThrow(message)
    expect(dispatched()).toEqual([])
  })

  test('by force sends it to an unknown id, with a warning', async () => {
    const { place, dispatched, warnings } = await device()
    await place({ datapoint: 'dp_9', value: 9e9, force: true })
    expect(dispatched()).toMatchObject([{ data: { datapointId: 'dp_9', value: 9e9 } }])
    expect(warnings).toEqual(['the envelope of dp_9 was not checked, because no known connection has it'])
  })

  test('fails if the given connection, or the datapoint on it, is unknown', async () => {
    const { place, dispatched } = await device()
    await expect(place({ connection: 'Gone' })).rejects.toThrow('connection con_gone is not loaded')
    await expect(place({ connection: 'Inverte' })).rejects.toThrow(
      'there is no connection Inverte (did you mean Inverter?)',
    )
    await expect(place({ connection: 'con_2' })).rejects.toThrow('Spare battery has no datapoint Charge power')
    expect(dispatched()).toEqual([])
  })

  test('that may have reached the device explains how to repeat the same request', async () => {
    const { place } = await device({
      status: 502,
      body: { message: 'the device did not answer', code: 'DEVICE_OFFLINE' },
    })
    const error = await place().catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 502,
      code: 'DEVICE_OFFLINE',
      message: `the device did not answer; you can safely run it again with --from ${FROM} --req-id ${REQ_ID}`,
    })
  })

  test('that the device rejects fails with the unchanged message of the device', async () => {
    const { place } = await device({ status: 499, body: { message: '`to` is in the past', code: 'DEVICE_REJECTED' } })
    await expect(place()).rejects.toMatchObject({ status: 499, message: '`to` is in the past' })
  })
})

describe('the advice to repeat', () => {
  const advised = (error: unknown) => {
    try {
      return withRetryHint('--req-id x')(error)
    } catch (thrown) {
      return thrown as Error
    }
  }

  test.each([
    ['the connection was lost', new Error('cannot be reached')],
    ['a proxy gave up', new ApiError(504, {})],
    ['the service failed', new ApiError(500, {})],
  ])('is given when %s', (_what, error) => {
    const { message } = error
    expect(advised(error).message).toBe(`${message}; you can safely run it again with --req-id x`)
  })

  test.each([400, 401, 403, 499])('is not given after a rejection with %d, because nothing was done', (status) => {
    const error = new ApiError(status, { message: 'no' })
    expect(advised(error)).toBe(error)
  })
})

const TENTHS = { inputValue1: 0, outputValue1: 0, inputValue2: 100, outputValue2: 1000 }
const POWER = { name: 'Charge power', writeInputData: { min: -50, max: 50 }, scaler: TENTHS }

describe('a value', () => {
  test.each([-50, -20, 0, 49.9, 50])('of %d is within its envelope, which includes its ends', (value) => {
    expect(envelopeProblem(POWER, value)).toBeUndefined()
  })

  test.each([-50.1, 50.000001, 1e300, -1e300])('of %d is outside its envelope', (value) => {
    expect(envelopeProblem(POWER, value)).toContain(`${value} is outside -50 to 50, the envelope of Charge power`)
  })

  test('outside its envelope is described in one line, with the raw value and the way to send it anyway', () => {
    expect(envelopeProblem(POWER, -80.1)).toBe(
      '-80.1 is outside -50 to 50, the envelope of Charge power; nothing would clamp it, so the equipment would receive -80.1 (raw -801); use --force to send it anyway',
    )
  })

  test('without scaling is not shown twice', () => {
    expect(envelopeProblem({ ...POWER, scaler: IDENTITY_SCALER }, 80)).toContain('would receive 80; use')
  })

  test('with a degenerate scaler is described without the raw value', () => {
    const point = { ...POWER, scaler: { ...TENTHS, inputValue2: 0 } }
    expect(envelopeProblem(point, 80)).toContain('would receive 80; use')
  })

  test('is not checked if there is no envelope', () => {
    expect(envelopeProblem({ name: 'Grid power', scaler: TENTHS }, 1e9)).toBeUndefined()
  })
})
