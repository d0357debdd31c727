import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { connectAs, ended, joinAs, listenTo, OTHER, OURS } from './testing/devices.ts'
import { startBroker } from './testing/embedded.ts'

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')
const command = (deviceId: string, correlationId: string) => topics.command(deviceId, 'any', 'cloud_1', correlationId)
const nextTick = () => new Promise((resolve) => setImmediate(resolve))

describe('a second connection of the same device', () => {
  test('takes over: the first is ended, and messages go to the second', async () => {
    const { broker, url } = await startBroker()
    const first = await joinAs(url, OURS)
    const second = await joinAs(url, OURS)
    await ended(first)
    const heard = listenTo(second)
    broker.send(OURS, command(OURS, '1'), Buffer.from('to the second'))
    await eventually(() => expect(heard).toEqual([{ topic: command(OURS, '1'), text: 'to the second' }]))
  })

  test('does not go when the first one does', async () => {
    const { broker, url } = await startBroker()
    for (let times = 0; times < 20; times += 1) {
      const first = await joinAs(url, OURS)
      // The first goes in the very moment in which the second comes.
      first.stream.destroy()
      const second = await joinAs(url, OURS)
      const heard = listenTo(second)
      broker.send(OURS, command(OURS, String(times)), Buffer.alloc(0))
      await eventually(() => expect(heard).toHaveLength(1))
    }
  })

  test.each([OTHER, 'wrong'])('that gives the secret of %s leaves the first alone', async (password) => {
    const { broker, url } = await startBroker()
    const device = await joinAs(url, OURS)
    await expect(connectAs(url, OURS, { password })).rejects.toThrow()
    const heard = listenTo(device)
    broker.send(OURS, command(OURS, '1'), Buffer.from('still there'))
    await eventually(() => expect(heard).toHaveLength(1))
  })
})

describe('a device whose credential is no longer good', () => {
  test('is disconnected, and the others are not', async () => {
    const { broker, url } = await startBroker()
    const device = await joinAs(url, OURS)
    const other = await joinAs(url, OTHER)
    broker.disconnect(OURS)
    await ended(device)
    expect(other.connected).toBe(true)
  })

  test('is disconnected also while it connects', async () => {
    let judged = () => {}
    const isJudged = new Promise<void>((resolve) => {
      judged = resolve
    })
    const { broker, url } = await startBroker({
      authenticate: () => {
        judged()
        return true
      },
    })
    const connecting = connectAs(url, OURS)
    await isJudged
    broker.disconnect(OURS)
    await expect(connecting).rejects.toThrow()
  })

  test('may not be there at all', async () => {
    const { broker } = await startBroker()
    broker.disconnect(OURS)
    broker.send(OURS, command(OURS, '1'), Buffer.from('to nobody'))
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

  test('delays no command to another device, and is dropped after a while', async () => {
    const { broker, received, other, heard } = await start()
    // More than the buffers of the sockets take, and less than what may wait.
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

  test('is dropped at once when more than 8 MiB wait for it', async () => {
    const { broker, received } = await start()
    for (let sent = 0; sent < 256 && received.length === 0; sent += 1) {
      broker.send(OURS, command(OURS, String(sent)), MEGABYTE)
      await nextTick()
    }
    await eventually(() => expect(received).toEqual([gone]), 4_000)
  })

  test('for a moment only, is sent all that waited', async () => {
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
