import { existsSync } from 'node:fs'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { freePorts } from '@plantroom/testkit/free-port'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startEquipmentBroker } from './support/equipment-broker.ts'
import { eventually } from './support/eventually.ts'
import { type FaultyEquipment, faultyEquipment } from './support/faulty-equipment.ts'
import { MOSQUITTO } from './support/mosquitto.ts'
import { reportsOf } from './support/override-reports.ts'
import { type Stack, startStack } from './support/stack.ts'

const PLAIN = 50
const SETPOINT = 70
let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const place = (datapointId: string) => {
  const now = Date.now()
  return stack.partner.override({ datapointId, value: SETPOINT, from: now, to: now + 3_600_000 })
}

/** Commissions the file, overrides its first datapoint for an hour, and returns what is needed to cancel. */
async function hold(file: CommissioningFile) {
  const { connections } = await stack.commission(file)
  const datapointId = connections[0]?.datapoints[0]?.id ?? expect.fail('no datapoint')
  const id = await eventually(async () => {
    const { status, body } = await place(datapointId)
    expect(status, body.message).toBe(200)
    return body.data.id as string
  })
  const phases = async () => (await reportsOf(stack, { datapointId })).map(({ phase, reason }) => `${phase} ${reason}`)
  return { datapointId, phases, cancel: async () => void (await stack.partner.cancel(id)) }
}

describe('Modbus equipment', () => {
  const REGISTER = 10
  const fileAt = (port: number, name: string): CommissioningFile => ({
    technicalSystem: name,
    connections: [
      {
        ...{ name, protocol: 'modbus-tcp' },
        settings: { host: '127.0.0.1', port, pollSeconds: 0.2, timeoutMs: 300 },
        datapoints: [{ name: 'Setpoint', accessType: 'READ_WRITE', data: { register: REGISTER, type: 'uint16' } }],
      },
    ],
  })

  async function start(): Promise<FaultyEquipment> {
    const equipment = await faultyEquipment()
    onTestFinished(() => equipment[Symbol.asyncDispose]())
    return equipment.set(REGISTER, PLAIN)
  }

  test('that ignores a release and then cannot be read is not released before it can', async () => {
    const equipment = await start()
    const { cancel, phases } = await hold(fileAt(equipment.port, 'Ignores'))
    await eventually(async () => expect(equipment.register(REGISTER)).toBe(SETPOINT))
    equipment.behaviour = 'ignoring'
    equipment.exceptions.set(REGISTER, 4)
    await cancel()
    await eventually(async () => expect(await phases()).toContain('not-taken cancelled'))
    equipment.behaviour = 'obedient'
    expect(await phases()).not.toContain('released cancelled')
    equipment.exceptions.clear()
    await eventually(async () => expect(equipment.register(REGISTER)).toBe(PLAIN))
    await eventually(async () => expect(await phases()).toContain('released cancelled'))
  })

  test('that answers reads with busy rejects an override, and is not written', async () => {
    const equipment = await start()
    equipment.exceptions.set(REGISTER, 6)
    const { connections } = await stack.commission(fileAt(equipment.port, 'Busy'))
    const { status, body } = await place(connections[0]?.datapoints[0]?.id ?? '')
    expect(status).toBe(499)
    expect(body.message).toContain('Setpoint on Busy cannot be read')
    expect(equipment.writes).toEqual([])
    equipment.exceptions.clear()
    await eventually(async () => {
      const accepted = await place(connections[0]?.datapoints[0]?.id ?? '')
      expect(accepted.status, accepted.body.message).toBe(200)
    })
    await eventually(async () => expect(equipment.register(REGISTER)).toBe(SETPOINT))
  })

  test('that gets its setpoint back after the release is released again', async () => {
    const equipment = await start()
    const { cancel, phases } = await hold(fileAt(equipment.port, 'Late'))
    await eventually(async () => expect(equipment.register(REGISTER)).toBe(SETPOINT))
    await cancel()
    await eventually(async () => expect(await phases()).toContain('released cancelled'))
    // A gateway carries out a write that it had kept.
    equipment.set(REGISTER, SETPOINT)
    await eventually(async () => expect(equipment.register(REGISTER)).toBe(PLAIN))
    await eventually(async () => expect(await phases()).toContain('not-taken cancelled'))
  })
})

describe.skipIf(!existsSync(MOSQUITTO))('MQTT equipment', () => {
  const COMMAND = 'valve/set'
  const STATE = 'valve/state'

  test('that hears nothing of its release, and comes back with its setpoint, is released then', async () => {
    const [port = 0] = await freePorts(1)
    let broker = await startEquipmentBroker(stack.folder, port)
    onTestFinished(() => broker.stop())
    let position = PLAIN
    const start = async (): Promise<MqttClient> => {
      const valve = await connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0 })
      valve.on('error', () => {})
      const show = () => valve.publish(STATE, String(position), { retain: true, qos: 1 })
      valve.on('message', (_topic, payload) => {
        position = Number(payload.toString())
        show()
      })
      await valve.subscribeAsync(COMMAND, { qos: 1 })
      show()
      return valve
    }
    let valve = await start()
    onTestFinished(() => valve.endAsync(true))
    const datapoints = [
      { name: 'Position', accessType: 'READ_WRITE' as const, data: { stateTopic: STATE, commandTopic: COMMAND } },
    ]
    const settings = { url: `mqtt://127.0.0.1:${port}`, pollSeconds: 0.2 }
    const connections = [{ name: 'Valve', protocol: 'mqtt' as const, settings, datapoints }]
    const { cancel, phases } = await hold({ technicalSystem: 'Valve', connections })
    await eventually(async () => expect(position).toBe(SETPOINT))

    // A power cut of the site: the broker forgets the state, and the valve starts last.
    await valve.endAsync(true)
    await broker.stop()
    broker = await startEquipmentBroker(stack.folder, port)
    await cancel()
    await eventually(async () => expect(await phases()).toContain('not-taken cancelled'))
    expect(await phases()).not.toContain('released cancelled')
    valve = await start()
    await eventually(async () => expect(position).toBe(PLAIN))
    await eventually(async () => expect(await phases()).toContain('released cancelled'))
  })
})
