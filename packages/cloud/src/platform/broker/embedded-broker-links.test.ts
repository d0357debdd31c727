import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { connectAs, ended, joinAs, listenTo, OTHER, OURS } from './testing/devices.ts'
import { startBroker } from './testing/embedded.ts'

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')
const command = (deviceId: string, correlationId: string) => topics.command(deviceId, 'any', 'cloud_1', correlationId)
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

describe('a second connection of the same device', () => {
  test('takes over: the first is closed, and messages go to the second', async () => {
    const { broker, url } = await startBroker()
    const first = await joinAs(url, OURS)
    const second = await joinAs(url, OURS)
    await ended(first)
    const heard = listenTo(second)
    broker.send(OURS, command(OURS, '1'), Buffer.from('to the second'))
    await eventually(() => expect(heard).toEqual([{ topic: command(OURS, '1'), text: 'to the second' }]))
  })

  test('stays connected when the first one breaks', async () => {
    const { broker, url } = await startBroker()
    for (let times = 0; times < 20; times += 1) {
      const first = await joinAs(url, OURS)
      // The first breaks at the moment the second connects.
      first.stream.destroy()
      const second = await joinAs(url, OURS)
      const heard = listenTo(second)
      broker.send(OURS, command(OURS, String(times)), Buffer.alloc(0))
      await eventually(() => expect(heard).toHaveLength(1))
    }
  })

  test.each([OTHER, 'wrong'])('with the secret "%s" does not affect the first', async (password) => {
    const { broker, url } = await startBroker()
    const device = await joinAs(url, OURS)
    await expect(connectAs(url, OURS, { password })).rejects.toThrow()
    const heard = listenTo(device)
    broker.send(OURS, command(OURS, '1'), Buffer.from('still there'))
    await eventually(() => expect(heard).toHaveLength(1))
  })
})

describe('a device whose credential is revoked', () => {
  test('is disconnected without affecting others', async () => {
    const { broker, url } = await startBroker()
    const device = await joinAs(url, OURS)
    const other = await joinAs(url, OTHER)
    broker.disconnect(OURS)
    await ended(device)
    expect(other.connected).toBe(true)
  })

  test('is disconnected even while it connects', async () => {
    const { promise: isChecked, resolve: checked } = Promise.withResolvers<void>()
    const { broker, url } = await startBroker({
      authenticate: () => {
        checked()
        return true
      },
    })
    const connecting = connectAs(url, OURS)
    await isChecked
    broker.disconnect(OURS)
    await expect(connecting).rejects.toThrow()
  })

  test('can connect later, and gets no message sent before', async () => {
    const { broker, url } = await startBroker()
    broker.disconnect(OURS)
    broker.send(OURS, command(OURS, '1'), Buffer.from('too early'))
    const heard = listenTo(await joinAs(url, OURS))
    broker.send(OURS, command(OURS, '2'), Buffer.from('in time'))
    await eventually(() => expect(heard).toEqual([{ topic: command(OURS, '2'), text: 'in time' }]))
  })
})

describe('a device that stops reading', () => {
  const gone = { topic: topics.status(OURS), text: 'gone' }
  const will = { topic: topics.status(OURS), payload: Buffer.from('gone'), qos: 1 as const, retain: true }

  async function start() {
    const started = await startBroker()
    const stalled = await joinAs(started.url, OURS, { will })
    const other = await joinAs(started.url, OTHER)
    stalled.stream.unpipe()
    stalled.stream.pause()
    return { ...started, other, heard: listenTo(other) }
  }

  test('delays no command to another device, and is disconnected after a while', async () => {
    const { broker, received, other, heard } = await start()
    // More than the socket buffers hold, and less than the limit of unsent bytes.
    for (let sent = 0; sent < 7; sent += 1) {
      broker.send(OURS, command(OURS, String(sent)), MEGABYTE)
      broker.send(OTHER, command(OTHER, String(sent)), Buffer.from('prompt'))
      await nextTick()
    }
    await eventually(() => expect(heard).toHaveLength(7))
    expect(received).toEqual([])
    await eventually(() => expect(received).toEqual([gone]), 20_000)
    expect(other.connected).toBe(true)
  })

  test('is disconnected immediately when more than 8 MiB are unsent', async () => {
    const { broker, received } = await start()
    for (let sent = 0; sent < 256 && received.length === 0; sent += 1) {
      broker.send(OURS, command(OURS, String(sent)), MEGABYTE)
      await nextTick()
    }
    await eventually(() => expect(received).toEqual([gone]), 4_000)
  })

  test('only briefly gets everything that was unsent', async () => {
    const { broker, url } = await startBroker()
    const device = await joinAs(url, OURS)
    const heard: string[] = []
    device.on('message', (topic) => heard.push(topic))
    const sent = Array.from({ length: 7 }, (_, index) => command(OURS, String(index)))
    device.stream.pause()
    for (const topic of sent) {
      broker.send(OURS, topic, MEGABYTE)
      await nextTick()
    }
    device.stream.resume()
    await eventually(() => expect(heard).toEqual(sent))
    expect(device.connected).toBe(true)
  })
})
