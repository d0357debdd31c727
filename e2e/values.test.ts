import { existsSync } from 'node:fs'
import type { ConnectionValues } from '@plantroom/contract/values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batteryRoom, withDatapoints } from './support/building.ts'
import { eventually } from './support/eventually.ts'
import { word } from './support/modbus.ts'
import { run } from './support/run.ts'
import { type Stack, startStack } from './support/stack.ts'

const MBPOLL = '/usr/bin/mbpoll'
const INVERTER = 1
const METER = 2

let stack: Stack
let inverter: string
let meter: string

beforeAll(async () => {
  stack = await startStack()
  inverter = stack.connectionId('Inverter')
  meter = stack.connectionId('Grid meter')
})
afterAll(() => stack?.[Symbol.asyncDispose]())

async function poll(connectionId: string): Promise<ConnectionValues> {
  const { status, body } = await stack.partner.values(connectionId)
  expect(status, body.message).toBe(200)
  return body.data
}

async function connected(connectionId: string): Promise<ConnectionValues> {
  const snapshot = await poll(connectionId)
  expect(snapshot).toMatchObject({ connectionId, status: 1, error: null })
  return snapshot
}

/** Returns the values by datapoint name. */
function named(snapshot: ConnectionValues, names: readonly string[]): Record<string, number | null | undefined> {
  return Object.fromEntries(names.map((name) => [name, snapshot.values[stack.datapointId(name)]?.value]))
}

/** Reads the registers and converts them to engineering units without our code. */
async function inverterByHand(): Promise<Record<string, unknown>> {
  const { equipment } = stack
  const setpoints = await equipment.holding(INVERTER, 100, 4)
  const measured = await equipment.holding(INVERTER, 200, 10)
  const temperature = await equipment.input(INVERTER, 202, 1)
  return {
    'Charge power': setpoints.readInt16BE(0) / 10,
    'Charge power limit': setpoints.readUInt16BE(2) / 10,
    'Discharge reserve': setpoints.readFloatBE(4),
    'Inverter enabled': Number(await equipment.coil(INVERTER, 0)),
    'Battery power': measured.readInt16BE(0) / 10,
    'State of charge': measured.readUInt16BE(2) / 10,
    'Battery temperature': temperature.readInt16BE(0) / 10,
    Charging: (measured.readUInt16BE(6) >> 1) & 1,
    'Lifetime energy': Number(measured.readBigUInt64BE(8)),
    'DC voltage': float(measured.readFloatBE(16)),
  }
}

async function meterByHand(): Promise<Record<string, unknown>> {
  const { equipment } = stack
  const power = await equipment.holding(METER, 0, 5)
  const energy = await equipment.holding(METER, 6, 6)
  const solar = await equipment.holding(METER, 14, 2)
  const load = Buffer.concat([energy.subarray(10, 12), energy.subarray(8, 10)])
  return {
    'Grid power': power.readInt32BE(0) / 1000,
    'Grid voltage': float(power.readFloatBE(4)),
    'Grid frequency': power.readUInt16BE(8) / 100,
    'Imported energy': energy.readUInt32BE(0) / 10,
    'Exported energy': energy.readUInt32BE(4) / 10,
    'Building load': float(load.readFloatBE(0)),
    'Solar power': solar.readInt32BE(0) / 1000,
  }
}

/** Rounds to the seven digits of a 32-bit float. */
const float = (value: number) => expect.closeTo(value, 4)

describe('getTechnicalConnectionValues', () => {
  test('returns the values of the registers in engineering units', async () => {
    for (const [connectionId, byHand] of [
      [inverter, inverterByHand],
      [meter, meterByHand],
    ] as const) {
      await eventually(async () => {
        const expected = await byHand()
        const snapshot = await connected(connectionId)
        expect(named(snapshot, Object.keys(expected))).toEqual(expected)
        expect(Object.keys(snapshot.values)).toHaveLength(Object.keys(expected).length)
      })
    }
  })

  test('shows changes that an installer makes at the equipment', async () => {
    const reserve = Buffer.alloc(4)
    reserve.writeFloatBE(12.5)
    await stack.equipment.writeRegisters(INVERTER, 100, Buffer.from(word(-73)))
    await stack.equipment.writeRegisters(INVERTER, 102, reserve)
    await stack.equipment.writeCoil(INVERTER, 0, false)
    await eventually(async () => {
      const expected = { 'Charge power': -7.3, 'Discharge reserve': 12.5, 'Inverter enabled': 0 }
      expect(named(await connected(inverter), Object.keys(expected))).toEqual(expected)
    })
    await stack.equipment.writeCoil(INVERTER, 0, true)
    await eventually(async () => {
      expect(named(await connected(inverter), ['Inverter enabled'])).toEqual({ 'Inverter enabled': 1 })
    })
  })

  test('follows the building', async () => {
    const before = named(await connected(meter), ['Building load', 'Grid voltage'])
    await eventually(async () => {
      const after = named(await connected(meter), Object.keys(before))
      for (const name of Object.keys(before)) expect(after[name]).not.toBe(before[name])
    })
  })

  test('omits defaults and has only the fields of the contract', async () => {
    const { status, contentType, body } = await stack.partner.values(inverter)
    expect({ status, contentType }).toEqual({ status: 200, contentType: 'application/json; charset=utf-8' })
    expect(Object.keys(body).sort()).toEqual(['data', 'reqId'])
    expect(Object.keys(body.data).sort()).toEqual(['connectionId', 'error', 'status', 'timestamp', 'values'])
    for (const entry of Object.values(body.data.values)) {
      expect(entry).toEqual({ value: expect.any(Number), timestamp: expect.stringMatching(UTC) })
    }
    expect(body.data.timestamp).toMatch(UTC)
  })

  test('echoes the reqId', async () => {
    const reqId = crypto.randomUUID()
    const { body } = await stack.partner.command('getTechnicalConnectionValues', { id: inverter }, reqId)
    expect(body.reqId).toBe(reqId)
  })

  test('reports an error for an unreadable datapoint and none for the others', async () => {
    const file = withDatapoints(batteryRoom(stack.simulator.ready.modbus.port), 'Grid meter', (before) => [
      ...before,
      { name: 'In the hole', accessType: 'READ', data: { register: 5, type: 'uint16' } },
    ])
    const hole = (await stack.commission(file)).connections
      .flatMap(({ datapoints }) => datapoints)
      .find(({ name }) => name === 'In the hole')
    await eventually(async () => {
      const { values } = await connected(meter)
      const { [hole?.id ?? '']: unreadable, ...others } = values
      expect(unreadable).toEqual({
        value: null,
        timestamp: expect.stringMatching(UTC),
        error: expect.stringContaining('address'),
      })
      expect(Object.keys(others)).toHaveLength(7)
      for (const entry of Object.values(others)) expect(Object.keys(entry)).toEqual(['value', 'timestamp'])
    })
    await stack.commission(batteryRoom(stack.simulator.ready.modbus.port))
  })

  test('never reads a write-only datapoint and reports no error for it', async () => {
    const file = withDatapoints(batteryRoom(stack.simulator.ready.modbus.port), 'Inverter', (before) => [
      ...before.filter(({ name }) => name !== 'Charge power limit'),
      { name: 'Charge power limit', accessType: 'WRITE', data: { register: 101, type: 'uint16' } },
    ])
    await stack.commission(file)
    await eventually(async () => {
      const snapshot = await connected(inverter)
      expect(named(snapshot, ['Charge power'])).toEqual({ 'Charge power': -7.3 })
      const entry = snapshot.values[stack.datapointId('Charge power limit')]
      expect(entry).toEqual({ value: null, timestamp: expect.stringMatching(UTC) })
    })
    await stack.commission(batteryRoom(stack.simulator.ready.modbus.port))
  })
})

describe('equipment that disconnects and returns', () => {
  test('keeps its last known values with their timestamps, and becomes live again', async () => {
    await eventually(() => connected(meter))
    await stack.simulator.kill()

    const lost = await eventually(async () => {
      const snapshot = await poll(meter)
      expect([0, -1]).toContain(snapshot.status)
      return snapshot
    })
    expect(lost.status === 0 ? lost.error : null).toBeNull()
    const failed = await eventually(async () => {
      const snapshot = await poll(meter)
      expect(snapshot).toMatchObject({ status: -1, error: expect.stringMatching(/127\.0\.0\.1:\d+ \w+/) })
      expect(snapshot.timestamp).not.toBe(lost.timestamp)
      return snapshot
    })
    expect(failed.values).toEqual(lost.values)
    for (const entry of Object.values(failed.values)) {
      expect(entry).toEqual({ value: expect.any(Number), timestamp: expect.any(String) })
      expect(Date.parse(entry.timestamp)).toBeLessThan(Date.parse(failed.timestamp))
    }

    await stack.simulator.start()
    await eventually(async () => {
      const snapshot = await connected(meter)
      for (const [id, entry] of Object.entries(snapshot.values)) {
        expect(Date.parse(entry.timestamp)).toBeGreaterThan(Date.parse(failed.values[id]?.timestamp ?? ''))
      }
      expect(named(snapshot, ['Grid voltage'])).toEqual({ 'Grid voltage': (await meterByHand())['Grid voltage'] })
    })
    await eventually(() => connected(inverter))
  })
})

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe.skipIf(!existsSync(MBPOLL))('mbpoll, an independent client', () => {
  test('writes a register of the equipment, and the poll shows the new value', async () => {
    const at = ['-1', '-0', '-m', 'tcp', '-p', String(stack.simulator.ready.modbus.port), '-a', '1', '-r', '100']
    const written = await run(MBPOLL, [...at, '127.0.0.1', '123'])
    expect(written.stdout).toContain('Written 1 references')
    const read = await run(MBPOLL, [...at, '-c', '1', '127.0.0.1'])
    expect(read.stdout).toMatch(/\[100\]:\s+123/)
    await eventually(async () => {
      expect(named(await connected(inverter), ['Charge power'])).toEqual({ 'Charge power': 12.3 })
    })
  })
})
