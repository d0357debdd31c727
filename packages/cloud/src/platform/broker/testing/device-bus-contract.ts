import { randomBytes } from 'node:crypto'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import type { MqttClient } from 'mqtt'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DeviceBus } from '../device-bus.ts'
import { joinAs, listenTo, type Message, OTHER, OURS } from './devices.ts'

/** A running broker and a function that opens the bus of a cloud on it. */
interface BusUnderTest {
  url: string
  open(): Promise<DeviceBus>
}

/** The id of the cloud that opens the bus. */
export const CLOUD_ID = 'cloud_1'

const command = (deviceId: string, correlationId: string) => topics.command(deviceId, 'any', CLOUD_ID, correlationId)

/** Tests every `DeviceBus` has to pass, whichever broker it uses. */
export function deviceBusContract(name: string, options: { skip: boolean; start(): Promise<BusUnderTest> }): void {
  const { start } = options

  describe.skipIf(options.skip)(name, () => {
    test('is connected after opening', async () => {
      const bus = await open(await start())
      expect(bus.connected).toBe(true)
    })

    test('delivers a message only to its device', async () => {
      const broker = await start()
      const bus = await open(broker)
      const [heard, heardByOther] = [await commandsTo(broker, OURS), await commandsTo(broker, OTHER)]
      bus.send(OURS, command(OURS, '1'), Buffer.from('ours'))
      bus.send(OTHER, command(OTHER, '2'), Buffer.from('other'))
      await eventually(() => {
        expect(heard()).toEqual([{ topic: command(OURS, '1'), text: 'ours' }])
        expect(heardByOther()).toEqual([{ topic: command(OTHER, '2'), text: 'other' }])
      })
    })

    test('keeps the order of messages to a device', async () => {
      const broker = await start()
      const bus = await open(broker)
      const heard = await commandsTo(broker, OURS)
      const sent = Array.from({ length: 200 }, (_, index) => ({ topic: command(OURS, `${index}`), text: `${index}` }))
      for (const { topic, text } of sent) bus.send(OURS, topic, Buffer.from(text))
      await eventually(() => expect(heard()).toHaveLength(sent.length))
      expect(heard()).toEqual(sent)
    })

    test.each([
      ['nothing', Buffer.alloc(0)],
      ['bytes that are not text', Buffer.from([0x00, 0xff, 0xfe, 0x80, 0x0a])],
      ['1 MB', randomBytes(1024 * 1024)],
    ])('passes a message and its reply on unchanged: %s', async (_what, payload) => {
      const broker = await start()
      const device = await joinAs(broker.url, OURS)
      const reply = topics.reply(OURS, CLOUD_ID, '1', 'rejected')
      device.on('message', (topic, bytes) => {
        if (topic === command(OURS, '1')) device.publish(reply, bytes)
      })
      const bus = await openQuietly(broker)
      const replies: [string, Buffer][] = []
      bus.receive({ message: (topic, bytes) => replies.push([topic, bytes]), lost: () => {} })
      bus.send(OURS, command(OURS, '1'), payload)
      await eventually(() => expect(replies).toHaveLength(1))
      expect(replies[0]?.[0]).toBe(reply)
      expect(replies[0]?.[1].equals(payload)).toBe(true)
    })

    test('learns the status of a device that connected first', async () => {
      const broker = await start()
      await announced(await joinAs(broker.url, OURS))
      const heard: Message[] = []
      await open(broker, heard)
      await eventually(() => expect(heard).toContainEqual({ topic: topics.status(OURS), text: 'here' }))
    })

    test('learns when a device connects later and when its connection breaks', async () => {
      const broker = await start()
      const heard: Message[] = []
      await open(broker, heard)
      const will = { topic: topics.status(OURS), payload: Buffer.from('gone'), qos: 1 as const, retain: true }
      const device = await joinAs(broker.url, OURS, { will })
      await announced(device)
      await eventually(() => expect(heard.at(-1)).toEqual({ topic: topics.status(OURS), text: 'here' }))
      device.stream.destroy()
      await eventually(() => expect(heard.at(-1)).toEqual({ topic: topics.status(OURS), text: 'gone' }))
    })

    test('does not deliver messages sent while a device was offline', async () => {
      const broker = await start()
      const bus = await open(broker)
      await (await joinAs(broker.url, OURS)).endAsync()
      bus.send(OURS, command(OURS, '1'), Buffer.from('too late'))
      const heard = await commandsTo(broker, OURS)
      bus.send(OURS, command(OURS, '2'), Buffer.from('in time'))
      await eventually(() => expect(heard()).toContainEqual({ topic: command(OURS, '2'), text: 'in time' }))
      expect(heard()).toHaveLength(1)
    })

    test('drops messages after close', async () => {
      const broker = await start()
      const bus = await openQuietly(broker)
      await bus.close()
      expect(() => bus.send(OURS, command(OURS, '1'), Buffer.from('dropped'))).not.toThrow()
    })
  })
}

async function openQuietly(broker: BusUnderTest): Promise<DeviceBus> {
  const bus = await broker.open()
  onTestFinished(() => bus.close())
  return bus
}

async function open(broker: BusUnderTest, heard: Message[] = []): Promise<DeviceBus> {
  const bus = await openQuietly(broker)
  bus.receive({ message: (topic, payload) => heard.push({ topic, text: payload.toString() }), lost: () => {} })
  return bus
}

/** Returns what a device that joins now receives, except for the hello of a cloud that may still be on its way. */
async function commandsTo({ url }: BusUnderTest, deviceId: string): Promise<() => readonly Message[]> {
  const heard = listenTo(await joinAs(url, deviceId))
  return () => heard.filter(({ topic }) => topic !== topics.hello())
}

/** Announces the device now and at every hello of a cloud. */
async function announced(device: MqttClient): Promise<void> {
  const announce = () => device.publishAsync(topics.status(OURS), 'here', { qos: 1, retain: true })
  device.on('message', (topic) => {
    // The test may be over before the broker confirms it.
    if (topic === topics.hello()) announce().catch(() => {})
  })
  await announce()
}
