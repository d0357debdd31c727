import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { batteryRoom, withDatapoints } from './support/building.ts'
import { countingProxy } from './support/counting-proxy.ts'
import { eventually } from './support/eventually.ts'
import { word } from './support/modbus.ts'
import { connectMqtt } from './support/mqtt-client.ts'
import { reportsOf } from './support/override-reports.ts'
import { startPart } from './support/part.ts'
import { plantroom } from './support/run.ts'
import { type Stack, startStack } from './support/stack.ts'

let stack: Stack
let meter: string

beforeAll(async () => {
  stack = await startStack({ cloud: { PLANTROOM_REPLY_TIMEOUT_MS: '1500' } })
  meter = stack.connectionId('Grid meter')
})
afterAll(() => stack?.[Symbol.asyncDispose]())

async function live(): Promise<void> {
  const { status, body } = await stack.partner.values(meter)
  expect(status, body.message).toBe(200)
  expect(body.data).toMatchObject({ connectionId: meter, status: 1 })
  for (const entry of Object.values(body.data.values)) expect(entry).not.toHaveProperty('error')
}

const room = () => batteryRoom(stack.simulator.ready.modbus.port)

describe('a controller that loses power', () => {
  test('goes offline immediately and reconnects', async () => {
    await eventually(live)
    await stack.edge.kill()
    await eventually(async () => expect(await stack.online()).toBe(false))

    const reqId = crypto.randomUUID()
    const { status, body } = await stack.partner.command('getTechnicalConnectionValues', { id: meter }, reqId)
    expect(status).toBe(502)
    expect(body).toEqual({ message: expect.stringContaining('the device is offline'), code: 'DEVICE_OFFLINE', reqId })

    await stack.edge.start()
    await eventually(live)
  })
})

describe('a controller that stops answering', () => {
  test('causes a 502 that says the command may have arrived; commands processed late have no effect', async () => {
    await eventually(live)
    const before = await eventually(() => inverterPoints())
    stack.edge.signal('SIGSTOP')
    onTestFinished(() => stack.edge.signal('SIGCONT'))

    const { status, body } = await stack.partner.values(meter)
    expect({ status, code: body.code }).toEqual({ status: 502, code: 'DEVICE_OFFLINE' })
    expect(body.message).toContain('may have reached')
    expect(body.message).toContain('safely send it again with the same reqId')

    const changed = withDatapoints(room(), 'Inverter', (datapoints) => datapoints.slice(0, 1))
    await expect(stack.admin.commission({ ...stack.ids, body: changed })).rejects.toMatchObject({ status: 502 })
    // The controller knows the time of the cloud to within a round trip: on a busy machine that may be a second or two.
    const answeredAt = Date.now()
    await eventually(() => expect(Date.now()).toBeGreaterThan(answeredAt + 3_000))

    stack.edge.signal('SIGCONT')
    // Commands arrive in order over one socket: when this one is answered, the late ones were processed.
    await eventually(live)
    expect(await eventually(() => inverterPoints())).toEqual(before)
    await stack.edge.kill()
    await stack.edge.start()
    expect(await eventually(() => inverterPoints())).toEqual(before)
  })

  async function inverterPoints() {
    const { status, body } = await stack.partner.datapoints(stack.connectionId('Inverter'))
    expect(status, body.message).toBe(200)
    expect(body.data.count).toBe(10)
    return body.data.datapoints
  }
})

describe('a controller without its cloud', () => {
  test('polls the equipment from its journal, even after a restart', async () => {
    await using proxy = await countingProxy(() => stack.simulator.ready.modbus.port)
    const { connections } = await stack.commission(batteryRoom(proxy.port))
    await eventually(live)

    await stack.cloud.kill()
    await stack.edge.kill()
    await eventually(() => expect(proxy.clients).toBe(0))
    const before = proxy.requests
    await stack.edge.start()
    await eventually(() => expect(proxy.requests).toBeGreaterThan(before + 10))

    await stack.cloud.start()
    await eventually(async () => expect(await stack.online()).toBe(true))
    await eventually(live)
    expect(await stack.commission(room())).toMatchObject({ connections })
    await eventually(live)
  })
})

describe('a cloud that is killed', () => {
  test('takes over its database, keys and devices when it restarts', async () => {
    await eventually(live)
    const server = databaseServer()
    await stack.cloud.kill()
    expect(databaseServer()).toBe(server)
    await stack.cloud.start()

    expect(databaseServer()).toBe(server)
    expect(stack.cloud.output()).toContain('"attached":true')
    await eventually(live)
  })

  const databaseServer = () => readFileSync(join(stack.folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]
})

describe('a second edge on the same data folder', () => {
  test('exits with one line and does not disturb the first', async () => {
    const { code, stderr } = await plantroom(['edge'], {
      PLANTROOM_DATA: stack.folder,
      MQTT_URL: stack.cloud.ready.mqttUrl,
      PLANTROOM_DEVICE_ID: stack.deviceId,
      PLANTROOM_DEVICE_SECRET: stack.deviceSecret,
    })
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toMatch(/^plantroom edge: .*another edge process uses it.*PLANTROOM_DATA/)
    await eventually(live)
  })
})

describe('an edge with an unencrypted broker on another machine', () => {
  // This machine, but not by a loopback address.
  const elsewhere = () => ({
    PLANTROOM_DATA: temporaryFolder(),
    MQTT_URL: 'mqtt://0.0.0.0:1',
    PLANTROOM_DEVICE_ID: 'dev_1',
    PLANTROOM_DEVICE_SECRET: 'hunter2',
  })

  test('does not start and says how to allow it', async () => {
    const { code, stderr } = await plantroom(['edge'], elsewhere())
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^plantroom edge: Bad configuration: MQTT_URL: mqtt:\/\/0\.0\.0\.0:1 sends .* unencrypted .*PLANTROOM_ALLOW_PLAIN_MQTT=1.*\n$/,
    )
  })

  test('starts with one warning in the log when that is allowed', async () => {
    const edge = await startPart('edge', () => ({ ...elsewhere(), PLANTROOM_ALLOW_PLAIN_MQTT: '1' }))
    onTestFinished(async () => void (await edge.stop()))
    await eventually(async () => expect(edge.output()).toContain('not connected to the cloud'))
    expect(edge.output().match(/MQTT_URL is not encrypted/g)).toHaveLength(1)
  })
})

describe('a credential that is renewed', () => {
  test('disconnects the old one, which cannot connect again', async () => {
    await eventually(live)
    const { secret } = await stack.admin.renewDeviceCredential(stack.ids)
    await eventually(async () => expect(await stack.online()).toBe(false))

    const connect = (password: string) => connectMqtt(stack.cloud.ready.mqttUrl, { username: stack.deviceId, password })
    await expect(connect(stack.deviceSecret)).rejects.toThrow(/bad username or password/i)
    expect((await stack.partner.values(meter)).status).toBe(502)

    await stack.edge.stop()
    await (await connect(secret)).endAsync()
    await stack.edge.start({ PLANTROOM_DEVICE_SECRET: secret })
    await eventually(live)
  })
})

describe('a controller whose hardware is replaced', () => {
  const setpoint = async () => (await stack.equipment.holding(1, 100, 1)).readInt16BE()

  test('goes on with what the old one held, ends it on time, and the old one is refused', () =>
    repeat(1, async () => {
      await stack.commission(room())
      const datapointId = stack.datapointId('Charge power')
      const before = await setpoint()
      // A campaign waits for the end. The suite cancels.
      const [from, to] = [Date.now(), Date.now() + (isCampaign ? 25_000 : 600_000)]
      const placed = await eventually(async () => {
        const answer = await stack.partner.override({ datapointId, value: 20, from, to })
        expect(answer.status, answer.body.message).toBe(200)
        return answer.body.data
      })
      const cancelled = await eventually(async () => {
        const answer = await stack.partner.override({ datapointId, value: 30, from: to + 60_000, to: to + 90_000 })
        expect(answer.status, answer.body.message).toBe(200)
        return answer
      })
      await eventually(async () => expect(await setpoint()).not.toBe(before))
      const held = await setpoint()
      const shown = () => stack.admin.getReplacement(stack.ids)
      await eventually(async () => expect((await shown()).overrides).toHaveLength(2))
      await eventually(async () => expect((await stack.partner.cancel(cancelled.body.data.id)).status).toBe(200))
      await expect(stack.admin.replaceDevice({ ...stack.ids, body: {} })).rejects.toMatchObject({ status: 409 })

      await stack.edge.kill()
      rmSync(join(stack.folder, 'edge'), { recursive: true })
      await eventually(async () => expect(await stack.online()).toBe(false))
      const check = await shown()
      expect(check).toMatchObject({ status: 'none', overrides: [{ id: placed.id, state: 'active', value: 20 }] })
      const { secret } = await stack.admin.replaceDevice({ ...stack.ids, body: {} })
      expect(await shown()).toMatchObject({ status: 'waiting', problem: null })

      await stack.equipment.writeRegisters(1, 100, Buffer.from(word(before)))
      await stack.edge.start({ PLANTROOM_DEVICE_SECRET: secret })
      await eventually(async () => expect((await shown()).status).toBe('restored'))
      await eventually(async () => expect(await setpoint()).toBe(held))
      const connect = connectMqtt(stack.cloud.ready.mqttUrl, { username: stack.deviceId, password: stack.deviceSecret })
      await expect(connect).rejects.toThrow(/bad username or password/i)
      // The controller starts its parts again after it was given its state.
      const cancelsPlaced = () =>
        eventually(async () => expect((await stack.partner.cancel(placed.id)).status).toBe(200))
      if (!isCampaign) await cancelsPlaced()
      await eventually(async () => expect(await setpoint()).toBe(before))
      await eventually(async () => {
        const reports = (await reportsOf(stack)).filter(({ overrideId }) => overrideId === placed.id)
        expect(reports.map(({ phase, reason }) => `${phase} ${reason}`)).toEqual([
          'applied window',
          'applied replaced',
          isCampaign ? 'released ended' : 'released cancelled',
        ])
      })
      // The id of the old controller is still known to its caller.
      await cancelsPlaced()
      const seqs = (await reportsOf(stack)).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    }))
})
