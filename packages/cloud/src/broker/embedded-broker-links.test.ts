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
  test('delays no command to another device, and is dropped after a while', async () => {
    const { broker, url, received } = await startBroker()
    const will = { topic: topics.status(OURS), payload: Buffer.from('stalled'), qos: 1 as const, retain: true }
    const stalled = await joinAs(url, OURS, { will })
    const other = await joinAs(url, OTHER)
    const heard = listenTo(other)
    stalled.stream.unpipe()
    stalled.stream.pause()

    for (let sent = 0; sent < 32; sent += 1) {
      broker.send(OURS, command(OURS, String(sent)), MEGABYTE)
      broker.send(OTHER, command(OTHER, String(sent)), Buffer.from('prompt'))
      await nextTick()
    }
    await eventually(() => expect(heard).toHaveLength(32))
    expect(received).toEqual([])
    await eventually(() => expect(received).toEqual([{ topic: topics.status(OURS), text: 'stalled' }]), 20_000)
    expect(other.connected).toBe(true)
  })

  test('does not make the cloud keep all that it is sent', async () => {
    const { broker, url } = await startBroker()
    const device = await joinAs(url, OURS)
    const heard: string[] = []
    device.on('message', (topic) => heard.push(topic))
    device.stream.pause()
    const SENT = 256
    for (let sent = 0; sent < SENT; sent += 1) {
      broker.send(OURS, command(OURS, String(sent)), MEGABYTE)
      await nextTick()
    }
    device.stream.resume()
    // What is sent after it has caught up arrives again.
    await eventually(() => {
      broker.send(OURS, topics.time(OURS, '1'), Buffer.from('1'))
      expect(heard).toContain(topics.time(OURS, '1'))
    })
    const kept = heard.filter((topic) => topic !== topics.time(OURS, '1'))
    expect(kept.slice(0, 8)).toEqual(Array.from({ length: 8 }, (_, index) => command(OURS, String(index))))
    expect(kept.length).toBeLessThan(SENT / 2)
  })
})
