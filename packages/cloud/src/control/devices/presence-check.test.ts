import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { BusReceiver, DeviceBus } from '../../platform/broker/index.ts'
import { connectDevices } from './device-link.ts'

interface TestDevice {
  link: string
  isAnswering: boolean
  /** Rejects a ping, as software does that does not know it. */
  isOld: boolean
}

/**
 * A cloud on a broker that keeps a status for each device and delivers only what `delivers` lets through. Everything
 * arrives in order, before the call that causes it returns.
 */
function start(count: number) {
  const clock = createManualClock()
  const ids = Array.from({ length: count }, (_, index) => `dev_${index}`)
  const known = new Set(ids)
  const retained = new Map<string, string>()
  const devices = new Map<string, TestDevice>()
  const pinged: string[] = []
  const asked: number[] = []
  const logged: string[] = []
  const world = { delivers: (_topic: string) => true }
  let receiver: BusReceiver | undefined
  let onChange = (_before: { id: string } | undefined, _after: { id: string } | undefined) => {}

  const publish = (id: string, online: boolean, link: string) => {
    const text = JSON.stringify({ online, link })
    retained.set(id, text)
    if (world.delivers(topics.status(id))) receiver?.message(topics.status(id), Buffer.from(text), false)
  }
  const bus: DeviceBus = {
    ...{ connected: true, problem: undefined, leave: async () => {}, close: async () => {} },
    send(id, topic) {
      const device = devices.get(id)
      if (!topic.includes('/command/ping/')) return
      pinged.push(id)
      if (!device?.isAnswering) return
      const status = JSON.stringify({ online: true, link: device.link })
      const reply = topics.reply(id, 'cloud_1', 'ping-1', device.isOld ? 'rejected' : 'ok')
      receiver?.message(reply, Buffer.from(device.isOld ? 'unknown command' : status), false)
    },
    receive(next) {
      receiver = next
      for (const id of retained.keys()) if (world.delivers(topics.status(id))) deliverRetained(id)
      next.found?.()
    },
    async askStatus(page) {
      asked.push(page.length)
      for (const id of page) deliverRetained(id)
    },
  }
  function deliverRetained(id: string): void {
    const text = retained.get(id)
    if (text !== undefined) receiver?.message(topics.status(id), Buffer.from(text), true)
  }
  const connect = (id: string, link = `${id} link`, changes: Partial<TestDevice> = {}) => {
    devices.set(id, { link, isAnswering: true, isOld: false, ...changes })
    publish(id, true, link)
  }
  const vanish = (id: string) => {
    const link = devices.get(id)?.link ?? ''
    devices.delete(id)
    publish(id, false, link)
  }
  const ignore = { receive: () => {} }
  const open = () => {
    const link = connectDevices({
      ...{ bus, clock, cloudId: 'cloud_1', replyTimeoutMs: 10_000 },
      log: createLog('test', 'info', { write: (line) => void logged.push(line) }),
      receivers: { reports: ignore, measurements: ignore, broadcast: ignore, health: ignore, state: ignore },
      devices: {
        get: (id) => (known.has(id) ? { id } : undefined),
        ids: () => known,
        subscribe(listener) {
          onChange = listener
        },
      },
    })
    onTestFinished(() => link.close())
    return link
  }
  const add = (id: string) => {
    known.add(id)
    onChange(undefined, { id })
  }
  const remove = (id: string) => {
    known.delete(id)
    onChange({ id }, undefined)
  }
  const message = (topic: string, text: string) => receiver?.message(topic, Buffer.from(text), false)
  const lost = () => receiver?.lost()
  const found = () => receiver?.found?.()
  return {
    ...{ clock, ids, retained, devices, pinged, asked, logged, world },
    ...{ open, connect, vanish, add, remove, message, lost, found, publish },
  }
}

describe('a broker that drops statuses', () => {
  test('beyond its queue hides nobody from a cloud that starts', async () => {
    const { ids, clock, world, connect, open } = start(1000)
    for (const id of ids) connect(id)
    world.delivers = () => false
    const { presence } = open()
    expect(presence.onlineCount).toBeLessThan(1000)
    await clock.advance(1_000)
    expect(presence.onlineCount).toBe(1000)
  })

  test('leaves no ghosts when most devices vanish at once', async () => {
    const { ids, clock, world, connect, vanish, open, logged } = start(1000)
    for (const id of ids) connect(id)
    const { presence } = open()
    await clock.advance(5_000)
    let delivered = 0
    world.delivers = () => {
      delivered += 1
      return delivered <= 100
    }
    for (const id of ids.slice(0, 890)) vanish(id)
    for (const id of ids.slice(890, 900)) {
      connect(id, 'a short link')
      vanish(id)
    }
    expect(presence.onlineCount).toBe(900)
    await clock.advance(5_000)
    expect(presence.onlineCount).toBe(100)
    expect(logged.join()).toContain('the broker dropped status messages')
  })

  test('misses no device for long, even a single one', async () => {
    const { ids, clock, world, connect, vanish, open } = start(100)
    for (const id of ids) connect(id)
    const { presence } = open()
    await clock.advance(10_000)
    world.delivers = () => false
    vanish('dev_7')
    connect('dev_8', 'another link')
    await clock.advance(300_000)
    expect([presence.onlineCount, presence.isOnline('dev_7'), presence.isOnline('dev_8')]).toEqual([99, false, true])
    world.delivers = () => true
    vanish('dev_8')
    expect(presence.isOnline('dev_8')).toBe(false)
  })

  test('is asked for few statuses at a time, and for 42 a second when all is quiet', async () => {
    const { ids, clock, connect, open, asked, pinged } = start(10_000)
    for (const id of ids) connect(id)
    open()
    await clock.advance(10_000)
    expect(Math.max(...asked)).toBe(250)
    asked.length = pinged.length = 0
    await clock.advance(60_000)
    const perSecond = (sum: number) => sum / 60
    // One more for each page of pings, to see that the broker is not behind.
    expect(perSecond(asked.reduce((sum, size) => sum + size, 0))).toBeLessThan(45)
    expect(perSecond(pinged.length)).toBeLessThan(45)
  })
})

describe('a hostile device', () => {
  test('cannot make the cloud ask for the statuses of all, however often it announces itself or answers', async () => {
    const { ids, clock, connect, open, asked, message } = start(1000)
    for (const id of ids) connect(id)
    const { presence } = open()
    await clock.advance(5_000)
    asked.length = 0
    for (let time = 0; time < 500; time += 1) {
      connect('dev_0', `link-${time}`)
      const status = JSON.stringify({ online: true, link: `answer-${time}` })
      message(topics.reply('dev_0', 'cloud_1', 'ping-1', 'ok'), status)
    }
    await clock.advance(4_000)
    expect(asked.reduce((sum, size) => sum + size, 0)).toBeLessThan(100)
    expect(presence.onlineCount).toBe(1000)
  })
})

describe('a retained status', () => {
  test('of a device that died while the broker was down ends within five seconds', async () => {
    const { clock, connect, devices, open, lost, found } = start(3)
    for (const id of ['dev_0', 'dev_1', 'dev_2']) connect(id)
    const { presence } = open()
    await clock.advance(10_000)
    lost()
    devices.delete('dev_1')
    found()
    await clock.advance(5_000)
    expect([0, 1, 2].map((number) => presence.isOnline(`dev_${number}`))).toEqual([true, false, true])
    await clock.advance(600_000)
    expect(presence.isOnline('dev_1')).toBe(false)
    connect('dev_1', 'new link')
    expect(presence.isOnline('dev_1')).toBe(true)
  })

  test('that contradicts what a device said does not count', async () => {
    const { clock, connect, retained, open } = start(1)
    const { presence } = open()
    connect('dev_0', 'link-2')
    retained.set('dev_0', JSON.stringify({ online: false, link: 'link-1' }))
    await clock.advance(600_000)
    expect(presence.isOnline('dev_0')).toBe(true)
  })

  test('of an offline link does not hide a device that answers', async () => {
    const { clock, connect, retained, open } = start(1)
    connect('dev_0', 'link-2')
    retained.set('dev_0', JSON.stringify({ online: false, link: 'link-1' }))
    const { presence } = open()
    expect(presence.isOnline('dev_0')).toBe(false)
    await clock.advance(60_000)
    expect(presence.isOnline('dev_0')).toBe(true)
  })
})

describe('a device that does not answer', () => {
  test('is offline, and online again with the next sign of life', async () => {
    const { clock, connect, devices, open } = start(1)
    connect('dev_0')
    const { presence } = open()
    await clock.advance(1_000)
    const device = devices.get('dev_0')
    if (device) device.isAnswering = false
    await clock.advance(120_000)
    expect(presence.isOnline('dev_0')).toBe(false)
    if (device) device.isAnswering = true
    await clock.advance(20_000)
    expect(presence.isOnline('dev_0')).toBe(true)
  })

  test('is asked when it sends something, although it counts as offline', async () => {
    const { clock, connect, world, open, message, publish } = start(1)
    const { presence } = open()
    await clock.advance(3_000)
    world.delivers = () => false
    connect('dev_0')
    publish('dev_0', false, 'an older link')
    message(topics.measurements('dev_0'), '{}')
    expect(presence.isOnline('dev_0')).toBe(false)
    await clock.advance(1_000)
    expect(presence.isOnline('dev_0')).toBe(true)
  })

  test('with a ping that it does not know has answered', async () => {
    const { clock, connect, pinged, open } = start(1)
    connect('dev_0', 'link', { isOld: true })
    const { presence } = open()
    await clock.advance(600_000)
    expect(pinged.length).toBeGreaterThan(0)
    expect(presence.isOnline('dev_0')).toBe(true)
  })
})

describe('a device', () => {
  test('that announced itself before it was known is online once it is', async () => {
    const { clock, connect, add, open } = start(0)
    const { presence } = open()
    connect('dev_new')
    expect(presence.isOnline('dev_new')).toBe(false)
    add('dev_new')
    await clock.advance(1_000)
    expect(presence.isOnline('dev_new')).toBe(true)
  })

  test('that was removed is offline, whatever it announces', async () => {
    const { clock, connect, remove, open } = start(2)
    connect('dev_0')
    const { presence } = open()
    await clock.advance(5_000)
    remove('dev_0')
    expect(presence.isOnline('dev_0')).toBe(false)
    connect('dev_0')
    await clock.advance(300_000)
    expect(presence.isOnline('dev_0')).toBe(false)
  })
})

describe('the first picture of presence', () => {
  test('is complete when every device was asked for', async () => {
    const { ids, clock, connect, open } = start(600)
    for (const id of ids) connect(id)
    const link = open()
    expect(link.isComplete).toBe(false)
    await clock.advance(0)
    expect(link.isComplete).toBe(true)
  })

  test('is missing again after the connection was lost', async () => {
    const { clock, open, lost, found } = start(1)
    const link = open()
    await clock.advance(0)
    lost()
    expect(link.isComplete).toBe(false)
    found()
    await clock.advance(0)
    expect(link.isComplete).toBe(true)
  })

  test('keeps a command waiting until the device announces itself', async () => {
    const { clock, connect, devices, open } = start(1)
    const link = open()
    const sent = link.dispatch('dev_0', 'any', { reqId: 'r', keyId: 'k', data: {} }).catch(({ message }) => message)
    await clock.advance(2_000)
    connect('dev_0')
    // Sent now, and answered by nobody.
    await clock.advance(10_000)
    expect(await sent).toContain('did not answer')
    expect(devices.size).toBe(1)
  })

  test('ends the wait for a device that is offline', async () => {
    const { clock, open } = start(1)
    const link = open()
    const send = () =>
      link.dispatch('dev_0', 'any', { reqId: 'r', keyId: 'k', data: {} }).catch(({ message }) => message)
    const sent = send()
    await clock.advance(2_500)
    expect(await sent).toContain('the device is offline')
    expect(await send()).toContain('the device is offline')
  })
})
