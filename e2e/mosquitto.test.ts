import { existsSync, readFileSync } from 'node:fs'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { installMosquitto, MOSQUITTO, type Mosquitto } from './support/mosquitto.ts'
import { type Credential, connectMqtt } from './support/mqtt-client.ts'
import { type Stack, startStack } from './support/stack.ts'

describe.skipIf(!existsSync(MOSQUITTO))('a real Mosquitto with the files of deploy/mosquitto', () => {
  let folder: OwnFolder
  let mosquitto: Mosquitto
  let stack: Stack
  let stranger: Credential

  beforeAll(async () => {
    folder = ownFolder()
    mosquitto = await installMosquitto(folder.path)
    await mosquitto.start()
    stack = await startStack({
      cloud: { MQTT_URL: mosquitto.cloudUrl },
      async edge({ deviceId, deviceSecret }) {
        await mosquitto.admit({ username: deviceId, password: deviceSecret })
        return { MQTT_URL: mosquitto.deviceUrl, NODE_EXTRA_CA_CERTS: mosquitto.certFile }
      },
    })
    const { orgId, siteId } = stack
    const { id, secret } = await stack.admin.addDevice({ orgId, body: { name: 'Another device', siteId } })
    stranger = { username: id, password: secret }
    await mosquitto.admit(stranger)
  })
  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]()
    await mosquitto?.kill()
    await folder?.[Symbol.asyncDispose]()
  })

  async function live(): Promise<void> {
    const { status, body } = await stack.partner.values(stack.connectionId('Inverter'))
    expect(status, body.message).toBe(200)
    expect(body.data.status).toBe(1)
  }

  const asDevice = (credential: Credential, clientId = credential.username) =>
    connectMqtt(mosquitto.deviceUrl, credential, { ca: readFileSync(mosquitto.certFile), clientId })

  /** Messages of the broker that the cloud may read. */
  async function observe(): Promise<{ client: MqttClient; seen: { topic: string; text: string; old: boolean }[] }> {
    const client = await connectMqtt(mosquitto.cloudUrl, mosquitto.cloud, { clientId: 'observer' })
    const seen: { topic: string; text: string; old: boolean }[] = []
    client.on('message', (topic, payload, packet) => seen.push({ topic, text: payload.toString(), old: packet.retain }))
    await client.subscribeAsync([
      'plantroom/+/status',
      'plantroom/+/reply/#',
      'plantroom/+/ask-time/+',
      'plantroom/cloud/#',
    ])
    return { client, seen }
  }

  test('carries a command to the equipment and back', async () => {
    await eventually(live)
    expect(stack.cloud.ready.mqttUrl).not.toContain(mosquitto.cloud.password)
    const [value] = Object.values((await stack.partner.values(stack.connectionId('Inverter'))).body.data.values).map(
      (entry) => entry.value,
    )
    expect(value).toBe((await stack.equipment.holding(1, 100, 1)).readInt16BE(0) / 10)
  })

  test('rejects clients without the right password', async () => {
    const plain = mosquitto.cloudUrl.replace(/\/\/.*@/, '//')
    await expect(connectMqtt(plain, { username: '', password: '' }, { clientId: 'nobody' })).rejects.toThrow()
    await expect(connectMqtt(plain, { ...mosquitto.cloud, password: 'wrong' })).rejects.toThrow(/not authorized/i)
    await expect(asDevice({ ...stranger, password: 'wrong' })).rejects.toThrow(/not authorized/i)
  })

  test('delivers no message of one device to another', async () => {
    await using client = await asDevice(stranger)
    const seen: string[] = []
    client.on('message', (topic) => seen.push(topic))
    // Mosquitto grants every subscription and filters at delivery.
    await client.subscribeAsync([
      `plantroom/${stack.deviceId}/command/#`,
      `plantroom/${stack.deviceId}/status`,
      `plantroom/${stack.deviceId}/reply/#`,
      'plantroom/+/command/#',
      'plantroom/#',
      '#',
    ])
    await live()
    await client.publishAsync(`plantroom/${stranger.username}/ask-time/1`, '', { qos: 1 })
    await eventually(() => expect(seen).toContain(`plantroom/${stranger.username}/time/1`))
    // The cloud may also ask the stranger whether it is there.
    expect(seen.filter((topic) => !topic.startsWith(`plantroom/${stranger.username}/`))).toEqual([])
  })

  test('drops messages that a device sends in the name of another or of the cloud', async () => {
    const { client: observer, seen } = await observe()
    await using client = await asDevice(stranger)
    const { deviceId } = stack
    const command = JSON.stringify({ reqId: 'x', deadline: Number.MAX_SAFE_INTEGER, data: {} })
    for (const [topic, text] of [
      [`plantroom/${deviceId}/status`, JSON.stringify({ online: false, link: 'forged' })],
      [`plantroom/${deviceId}/reply/forged/1/ok`, '{}'],
      [`plantroom/${deviceId}/ask-time/forged`, ''],
      [`plantroom/${deviceId}/time/1`, '1'],
      // If the command got through, the device would answer it, and the test would see that.
      [`plantroom/${deviceId}/command/getTechnicalDataPoints/forged/1`, command],
      ['plantroom/hello', 'forged'],
      ['plantroom/cloud/forged/alive', 'alive'],
    ] as const) {
      await client.publishAsync(topic, text, { qos: 1, retain: topic.endsWith('status') })
    }
    await client.publishAsync(`plantroom/${stranger.username}/status`, 'mine', { qos: 1 })
    await eventually(() => expect(seen.map(({ text }) => text)).toContain('mine'))
    // When the device has answered a later, genuine command, it would have answered the forged one, too.
    await live()
    const others = seen.filter(({ topic, text, old }) => !old && text !== 'mine' && isForged(topic, text))
    expect(others).toEqual([])
    await observer.endAsync()

    function isForged(topic: string, text: string): boolean {
      return `${topic} ${text}`.includes('forged') || topic === `plantroom/${deviceId}/status`
    }
  })

  test('does not let a device disconnect another by using its client id', async () => {
    const { client: observer, seen } = await observe()
    await using client = await asDevice(stranger, stack.deviceId)
    await client.publishAsync(`plantroom/${stranger.username}/status`, 'mine', { qos: 1 })
    await eventually(() => expect(seen.map(({ text }) => text)).toContain('mine'))
    expect(seen.filter(({ topic, old }) => topic === `plantroom/${stack.deviceId}/status` && !old)).toEqual([])
    await live()
    await observer.endAsync()
  })

  test('informs the cloud immediately when a device loses power', async () => {
    await stack.edge.kill()
    await eventually(async () => expect(await stack.online()).toBe(false))
    const { status, body } = await stack.partner.values(stack.connectionId('Inverter'))
    expect({ status, code: body.code }).toEqual({ status: 502, code: 'DEVICE_OFFLINE' })
    await stack.edge.start()
    await eventually(live)
  })

  test('is reconnected to by all clients after it was killed and restarted', async () => {
    await mosquitto.kill()
    await eventually(async () => expect((await stack.partner.values(stack.connectionId('Inverter'))).status).toBe(502))
    await mosquitto.start()
    await eventually(live)

    await mosquitto.kill()
    await eventually(() => expect(stack.cloud.output()).toMatch(/ECONNREFUSED/))
    await mosquitto.start()
    await eventually(live)
  })

  test('lets a restarted cloud know which devices are online', async () => {
    await stack.cloud.kill()
    await stack.cloud.start()
    await eventually(live)
  })
})
