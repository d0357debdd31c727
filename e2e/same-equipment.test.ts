import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { freePorts } from '@plantroom/testkit/free-port'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startEquipmentBroker } from './support/equipment-broker.ts'
import { eventually } from './support/eventually.ts'
import { faultyEquipment } from './support/faulty-equipment.ts'
import { MOSQUITTO } from './support/mosquitto.ts'
import { plantroom } from './support/run.ts'
import { operatorShell } from './support/shell.ts'
import { type Stack, startStack } from './support/stack.ts'

const PLAIN = 50
let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** Loads a file with the command line. */
async function load(file: CommissioningFile, ...flags: string[]) {
  const path = join(stack.folder, 'moved.yaml')
  writeFileSync(path, JSON.stringify(file))
  return plantroom(['commission', stack.deviceId, path, ...flags], operatorShell(stack))
}

/** Overrides the only datapoint of a file for an hour, and returns what cancels it. */
async function hold(file: CommissioningFile, value: number): Promise<() => Promise<void>> {
  const { connections } = await stack.commission(file)
  const datapointId = connections[0]?.datapoints[0]?.id ?? expect.fail('no datapoint')
  const now = Date.now()
  const { status, body } = await eventually(async () => {
    const answer = await stack.partner.override({ datapointId, value, from: now, to: now + 3_600_000 })
    expect(answer.status, answer.body.message).toBe(200)
    return answer
  })
  expect(status).toBe(200)
  return async () => void (await stack.partner.cancel(body.data.id))
}

describe('equipment that gets a new address while it is held', () => {
  const fileAt = (port: number, data: object = {}): CommissioningFile => ({
    technicalSystem: 'Moving',
    connections: [
      {
        ...{ name: 'Inverter', protocol: 'modbus-tcp' },
        settings: { host: '127.0.0.1', port, pollSeconds: 0.2, timeoutMs: 300 },
        datapoints: [{ name: 'Setpoint', accessType: 'READ_WRITE', data: { register: 10, type: 'int16', ...data } }],
      },
    ],
  })

  test('is released at the new address, and what is at the old one by then gets nothing', async () => {
    const [old, moved] = [await faultyEquipment(), await faultyEquipment()]
    onTestFinished(async () => {
      await old[Symbol.asyncDispose]()
      await moved[Symbol.asyncDispose]()
    })
    old.set(10, PLAIN)
    moved.set(10, PLAIN)
    const cancel = await hold(fileAt(old.port), 70)
    await eventually(async () => expect(old.register(10)).toBe(70))
    // The equipment, at its setpoint, gets another address.
    await old.stop()
    moved.set(10, 70)
    await cancel()

    const refused = await load(fileAt(moved.port))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"sameEquipment": true') })
    const otherType = await load(fileAt(moved.port, { type: 'uint16' }), '--same-equipment')
    expect(otherType).toMatchObject({ code: 1, stderr: expect.stringContaining('must keep its data.type:') })
    const check = await load(fileAt(moved.port), '--same-equipment', '--check')
    expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('stays held over its new settings.port') })

    await moved.stop()
    old.writes.length = 0
    expect(await load(fileAt(moved.port), '--same-equipment')).toMatchObject({ code: 0 })
    // Other equipment gets the old address while the release still waits for the new one.
    old.set(10, 33)
    await old.start()
    await moved.start()
    await eventually(async () => expect(moved.register(10)).toBe(PLAIN))
    expect(old.writes).toEqual([])
    expect(old.register(10)).toBe(33)
    const { technicalSystems } = await stack.admin.listTechnicalSystems(stack.ids)
    expect(JSON.stringify(technicalSystems)).not.toContain('sameEquipment')
  })
})

describe.skipIf(!existsSync(MOSQUITTO))('a broker whose password is rotated while equipment is held', () => {
  const COMMAND = 'pump/set'
  const STATE = 'pump/state'

  const startBroker = (port: number, password: string) =>
    startEquipmentBroker(stack.folder, port, { edge: password, pump: 'own' })

  const fileWith = (port: number, password: string): CommissioningFile => ({
    technicalSystem: 'Pump room',
    connections: [
      {
        ...{ name: 'Pump', protocol: 'mqtt' },
        settings: { url: `mqtt://127.0.0.1:${port}`, username: 'edge', password, pollSeconds: 0.2 },
        datapoints: [{ name: 'Speed', accessType: 'READ_WRITE', data: { stateTopic: STATE, commandTopic: COMMAND } }],
      },
    ],
  })

  test('releases the equipment with the new password', async () => {
    const [port = 0] = await freePorts(1)
    let broker = await startBroker(port, 'before')
    onTestFinished(() => broker.stop())
    let speed = PLAIN
    const pump = await connectAsync(`mqtt://127.0.0.1:${port}`, {
      username: 'pump',
      password: 'own',
      reconnectPeriod: 100,
    })
    onTestFinished(() => pump.endAsync(true))
    pump.on('error', () => {})
    const show = () => pump.publish(STATE, String(speed), { retain: true, qos: 1 })
    pump.on('message', (_topic, payload) => {
      speed = Number(payload.toString())
      show()
    })
    pump.on('connect', show)
    await pump.subscribeAsync(COMMAND, { qos: 1 })
    show()

    const cancel = await hold(fileWith(port, 'before'), 70)
    await eventually(async () => expect(speed).toBe(70))
    await broker.stop()
    broker = await startBroker(port, 'after')
    await cancel()
    const refused = await load(fileWith(port, 'after'))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('must keep its settings.password') })
    expect(refused.stderr).not.toContain('before')
    expect(await load({ ...fileWith(port, 'after'), sameEquipment: true })).toMatchObject({ code: 0 })
    await eventually(async () => expect(speed).toBe(PLAIN))
  })
})
