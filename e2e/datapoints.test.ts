import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import type { Datapoint } from '@plantroom/contract/datapoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type Stack, startStack } from './support/stack.ts'

const COUNT = 250
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let stack: Stack
let large: string

beforeAll(async () => {
  stack = await startStack()
  large = (await stack.commission(largeFile())).connections[0]?.id ?? ''
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** A connection with more datapoints than fit on a page. */
function largeFile(extra: readonly CommissionedDatapoint[] = []): CommissioningFile {
  const datapoints = Array.from(
    { length: COUNT },
    (_, index): CommissionedDatapoint => ({
      name: `Point ${index}`,
      accessType: 'READ',
      data: { register: 200 + (index % 4), type: 'uint16' },
    }),
  )
  const settings = { host: '127.0.0.1', port: stack.simulator.ready.modbus.port }
  return {
    technicalSystem: 'Large',
    connections: [{ name: 'Many', protocol: 'modbus-tcp', settings, datapoints: [...datapoints, ...extra] }],
  }
}

/** Fetches all datapoints page by page, as a partner does, until there are as many as `count` says. */
async function fetchAll(connectionId: string, limit: number): Promise<Datapoint[]> {
  const found: Datapoint[] = []
  for (let count = 1; found.length < count; ) {
    const { status, body } = await stack.partner.datapoints(connectionId, { limit, offset: found.length })
    expect(status, body.message).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(['count', 'datapoints'])
    expect(body.data.datapoints.length).toBe(Math.min(limit, body.data.count - found.length))
    found.push(...body.data.datapoints)
    count = body.data.count
  }
  return found
}

const ids = (datapoints: readonly Datapoint[]) => datapoints.map(({ id }) => id)

describe('a datapoint of getTechnicalDataPoints', () => {
  test('has every field of the contract when it is writable', async () => {
    const all = await fetchAll(stack.connectionId('Inverter'), 100)
    expect(all.find(({ name }) => name === 'Charge power')).toEqual({
      id: stack.datapointId('Charge power'),
      connectionId: stack.connectionId('Inverter'),
      name: 'Charge power',
      accessType: 'READ_WRITE',
      writeInputType: 'number',
      writeInputData: { min: -50, max: 50 },
      analyticsInterval: 60,
      analyticsCalculateConsumption: false,
      broadcastInterval: 10,
      writeInterval: 0,
      cloudScheduleId: null,
      scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 100, outputValue2: 1000 },
      alarmData: null,
      data: { register: 100, type: 'int16' },
      createdAt: expect.stringMatching(UTC),
      updatedAt: expect.stringMatching(UTC),
    })
  })

  test('has no fields about writing when it is read-only', async () => {
    const all = await fetchAll(stack.connectionId('Grid meter'), 100)
    expect(all).toHaveLength(7)
    expect(all.find(({ name }) => name === 'Building load')).toEqual({
      id: stack.datapointId('Building load'),
      connectionId: stack.connectionId('Grid meter'),
      name: 'Building load',
      accessType: 'READ',
      analyticsInterval: 60,
      broadcastInterval: 10,
      writeInterval: 0,
      cloudScheduleId: null,
      scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 },
      alarmData: null,
      data: { register: 10, type: 'float32', wordOrder: 'CDAB' },
      createdAt: expect.stringMatching(UTC),
      updatedAt: expect.stringMatching(UTC),
    })
  })

  test('has an envelope even if it is write-only and none was commissioned', async () => {
    const settings = { host: '127.0.0.1', port: stack.simulator.ready.modbus.port, unitId: 9 }
    const { connections } = await stack.commission({
      technicalSystem: 'Write only',
      connections: [
        {
          name: 'Limit',
          protocol: 'modbus-tcp',
          settings,
          datapoints: [{ name: 'Limit', accessType: 'WRITE', data: { register: 101, type: 'uint16' } }],
        },
      ],
    })
    const { body } = await stack.partner.datapoints(connections[0]?.id ?? '')
    expect(body.data.datapoints).toEqual([
      expect.objectContaining({
        accessType: 'WRITE',
        writeInputType: 'number',
        writeInputData: { min: expect.any(Number), max: expect.any(Number) },
        analyticsCalculateConsumption: false,
      }),
    ])
  })
})

describe('the pages of getTechnicalDataPoints', () => {
  test.each([1000, 100, 99])('contain every datapoint once, %i at a time', async (limit) => {
    const all = await fetchAll(large, limit)
    expect(all).toHaveLength(COUNT)
    expect(new Set(ids(all)).size).toBe(COUNT)
    expect(new Set(all.map(({ name }) => name)).size).toBe(COUNT)
  })

  test('default to the first hundred', async () => {
    const { body } = await stack.partner.datapoints(large)
    expect(body.data.count).toBe(COUNT)
    expect(ids(body.data.datapoints)).toEqual(ids(await fetchAll(large, 100)).slice(0, 100))
  })

  test.each([COUNT, COUNT + 1, 1_000_000])('are empty past the end, at offset %i', async (offset) => {
    const { status, body } = await stack.partner.datapoints(large, { offset })
    expect({ status, data: body.data }).toEqual({ status: 200, data: { count: COUNT, datapoints: [] } })
  })

  test('keep their order when the controller restarts and when a datapoint is added', async () => {
    const before = ids(await fetchAll(large, 60))
    expect(ids(await fetchAll(large, 7))).toEqual(before)

    await stack.edge.kill()
    await stack.edge.start()
    await eventually(async () => expect(ids(await fetchAll(large, 60))).toEqual(before))

    const added: CommissionedDatapoint = { name: 'Added', accessType: 'READ', data: { register: 200, type: 'int16' } }
    await stack.commission(largeFile([added]))
    const after = await fetchAll(large, 60)
    expect(ids(after).slice(0, COUNT)).toEqual(before)
    expect(after.at(-1)).toMatchObject({ name: 'Added' })
  })

  test.each([
    ['limit', { limit: 0 }],
    ['limit', { limit: 1001 }],
    ['limit', { limit: 1.5 }],
    ['offset', { offset: -1 }],
  ])('are refused with a bad %s: %o', async (field, page) => {
    const { status, body } = await stack.partner.datapoints(large, page)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'INVALID', field: `data.${field}` })
    expect(body.message).toContain(`data.${field}`)
  })
})

describe('a connection that the controller does not have', () => {
  test.each(['getTechnicalDataPoints', 'getTechnicalConnectionValues'])(
    'is refused by the controller in %s',
    async (command) => {
      const reqId = crypto.randomUUID()
      const data = { connectionId: 'con_unknown', id: 'con_unknown' }
      const { status, contentType, body } = await stack.partner.command(command, data, reqId)
      expect({ status, contentType }).toEqual({ status: 499, contentType: 'application/json; charset=utf-8' })
      expect(body).toEqual({ message: expect.stringContaining('con_unknown'), code: 'DEVICE_REJECTED', reqId })
    },
  )
})
