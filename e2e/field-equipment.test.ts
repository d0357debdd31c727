import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { startDevice } from '@plantroom/drivers/bacnet/testing/device-simulator'
import { simulatedObject } from '@plantroom/drivers/bacnet/testing/objects'
import { startPtyPair, withoutSocat } from '@plantroom/drivers/modbus/testing/pty-pair'
import { startPymodbus, withoutPymodbus } from '@plantroom/drivers/modbus/testing/pymodbus'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { installedEdge, withoutDpkg } from './support/installed-edge.ts'
import { reportsOf } from './support/override-reports.ts'
import { type Stack, startStack } from './support/stack.ts'

const PLAIN = 20
const SETPOINT = 24
const OPERATOR = 19
const BUILDING = 21
const WINDOW_MS = 8_000

let folder: OwnFolder
let stack: Stack

beforeAll(async () => {
  folder = ownFolder()
  stack = await startStack(withoutDpkg ? {} : { edgeProgram: await installedEdge(folder.path) })
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await folder?.[Symbol.asyncDispose]()
})

/** One setpoint, behind a protocol. */
function fileWith(connection: { protocol: 'modbus-rtu' | 'bacnet-ip'; settings: object; data: object }) {
  const { protocol, settings, data } = connection
  const about = { name: 'Supply air', accessType: 'READ_WRITE', unit: '°C', analyticsInterval: 0, broadcastInterval: 0 }
  const timing = { pollSeconds: 0.2, timeoutMs: 2_000 }
  return {
    technicalSystem: `Ventilation by ${protocol}`,
    connections: [{ name: protocol, protocol, settings: { ...settings, ...timing }, datapoints: [{ ...about, data }] }],
  } as CommissioningFile
}

/** Commissions the setpoint, and returns its id when the controller has read it. */
async function commissioned(file: CommissioningFile): Promise<string> {
  const { connections } = await stack.commission(file)
  const [{ id = '', datapoints: [{ id: datapointId = '' } = {}] = [] } = {}] = connections
  await eventually(async () => {
    const { status, body } = await stack.partner.values(id)
    expect(status, body.message).toBe(200)
    expect(body.data.values[datapointId]?.value).toBe(PLAIN)
  })
  return datapointId
}

/**
 * Places an override and kills the controller while the equipment has its value. A machine that was too slow gets twice as
 * long. Returns the id of the override.
 */
async function killedDuringOverride(datapointId: string, read: () => Promise<number>, ms = WINDOW_MS): Promise<string> {
  const from = Date.now()
  const to = from + ms
  const { status, body } = await stack.partner.override({ datapointId, value: SETPOINT, from, to })
  expect(status, body.message).toBe(200)
  const hasIt = await eventually(async () => {
    const value = await read()
    if (value !== SETPOINT && Date.now() < to) throw new Error(`the equipment has ${value}`)
    return value === SETPOINT
  })
  await stack.edge.kill()
  if (hasIt && Date.now() < to) return body.data.id
  await stack.edge.start()
  await eventually(async () => expect(await read()).toBe(PLAIN))
  return await killedDuringOverride(datapointId, read, 2 * ms)
}

/** Returns the entries of an override once it has been released. */
const entriesOf = (id: string) =>
  eventually(async () => {
    const entries = (await reportsOf(stack)).filter(({ overrideId }) => overrideId === id)
    expect(entries.at(-1)?.phase).toBe('released')
    return entries
  })

describe('an installed controller that is killed during an override', () => {
  test.skipIf(withoutSocat || withoutPymodbus)('releases a unit on a serial line when it is back', async () => {
    const pair = await startPtyPair(folder.path)
    onTestFinished(() => pair.stop())
    const place = { unit: 7, table: 'holding', address: 100, type: 'int16', order: 'ABCD' } as const
    const unit = await startPymodbus([{ ...place, value: String(PLAIN) }], 0, { serial: pair.theirs })
    onTestFinished(() => unit.kill())
    const read = async () => Number(await unit.at(place))

    const settings = { path: pair.ours, unitId: 7 }
    const file = fileWith({ protocol: 'modbus-rtu', settings, data: { register: 100, type: 'int16' } })
    const id = await killedDuringOverride(await commissioned(file), read)
    expect(await read(), 'nobody is there to release it').toBe(SETPOINT)
    await stack.edge.start()
    await eventually(async () => expect(await read()).toBe(PLAIN))
    expect(await entriesOf(id)).toMatchObject([
      { phase: 'applied', valueBefore: PLAIN, value: SETPOINT },
      { phase: 'released', value: PLAIN, readBack: PLAIN },
    ])
  })

  test('releases a BACnet object when it is back, and leaves what the operator wrote meanwhile', async () => {
    const object = simulatedObject('analog-value,3', { fallback: PLAIN })
    const device = await startDevice(new Map([['analog-value,3', object]]))
    onTestFinished(() => device.stop())
    const slots = object.slots ?? []
    const read = async () => slots[9] ?? PLAIN

    const settings = { host: '127.0.0.1', port: device.port, deviceInstance: 1234, priority: 10 }
    const file = fileWith({ protocol: 'bacnet-ip', settings, data: { object: 'analog-value,3' } })
    const id = await killedDuringOverride(await commissioned(file), read)
    expect(slots[9], 'nobody is there to release it').toBe(SETPOINT)
    slots[7] = OPERATOR
    await stack.edge.start()
    await eventually(() => expect(slots).toEqual(slotsWith({ 8: OPERATOR })))
    const entries = await entriesOf(id)
    expect(entries[0]).toMatchObject({ phase: 'applied', valueBefore: PLAIN, value: SETPOINT })
    expect(entries.at(-1)).toMatchObject({
      ...{ phase: 'released', readBack: OPERATOR },
      inCharge: { priority: 8, value: OPERATOR, outranks: true },
    })
  })
})

test('the audit names the BACnet priority that outranks us, and the one that a release leaves in charge', async () => {
  const object = simulatedObject('analog-value,3', { fallback: PLAIN })
  const device = await startDevice(new Map([['analog-value,3', object]]))
  onTestFinished(() => device.stop())
  const slots = object.slots ?? []
  const settings = { host: '127.0.0.1', port: device.port, deviceInstance: 1234, priority: 10 }
  const datapointId = await commissioned(
    fileWith({ protocol: 'bacnet-ip', settings, data: { object: 'analog-value,3' } }),
  )
  slots[7] = OPERATOR
  const from = Date.now()
  const { status, body } = await stack.partner.override({ datapointId, value: SETPOINT, from, to: from + 600_000 })
  expect(status, body.message).toBe(200)
  const lastEntry = (phase: string) =>
    eventually(async () => {
      const last = (await reportsOf(stack, { datapointId })).at(-1)
      expect(last?.phase).toBe(phase)
      return last
    })
  const refused = await lastEntry('not-taken')
  // The priority array of the device itself.
  expect(slots).toEqual(slotsWith({ 8: OPERATOR, 10: SETPOINT }))
  const operator = { priority: 8, value: OPERATOR, outranks: true }
  expect(refused).toMatchObject({ value: SETPOINT, readBack: OPERATOR, inCharge: operator })

  slots[7] = undefined
  slots[15] = BUILDING
  expect((await stack.partner.cancel(body.data.id)).status).toBe(200)
  const released = await lastEntry('released')
  expect(slots).toEqual(slotsWith({ 16: BUILDING }))
  expect(released).toMatchObject({ readBack: BUILDING, inCharge: { priority: 16, value: BUILDING, outranks: false } })
})

const slotsWith = (filled: Readonly<Record<number, number>>) =>
  Array.from({ length: 16 }, (_, index) => filled[index + 1])
