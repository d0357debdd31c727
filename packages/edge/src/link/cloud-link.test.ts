import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { parseDeviceStatus } from '@plantroom/contract/presence'
import { OWN_SOFTWARE } from '@plantroom/contract/software'
import { PING, parseDeviceTopic, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startBroker, type TestBroker } from '../testing/broker.ts'
import { connect, DEVICE, isOnline, NOW, statuses } from '../testing/linked-device.ts'

const command = (data: object, deadline = NOW + 10_000) => JSON.stringify({ reqId: 'r', deadline, data })

async function replyTo(broker: TestBroker, name: string, payload: string, correlationId: string) {
  broker.send(topics.command(DEVICE, name, 'cloud_1', correlationId), payload)
  const isReply = (topic: string) => {
    const message = parseDeviceTopic(topic)
    return message?.kind === 'reply' && message.correlationId === correlationId
  }
  const { topic, text } = await broker.hears((message) => isReply(message.topic))
  return { topic, text }
}

describe('a device that connects', () => {
  test('announces itself with a retained status', async () => {
    const broker = await startBroker()
    connect(broker.url)
    const said = await broker.hears(({ topic }) => topic === topics.status(DEVICE))
    expect(said.retain).toBe(true)
    expect(parseDeviceStatus(said.text)).toEqual({
      online: true,
      link: expect.stringMatching(/^link_/),
      software: OWN_SOFTWARE,
    })
  })

  test('announces itself only once it can receive commands', async () => {
    const broker = await startBroker()
    connect(broker.url)
    await isOnline(broker)
    expect((await replyTo(broker, 'echo', command({ a: 1 }), 'c1')).text).toBe('{"a":1}')
  })

  test("asks for the cloud's time, and again every ten minutes", async () => {
    const broker = await startBroker()
    const { clock } = connect(broker.url)
    await isOnline(broker)
    const questions = () => broker.heard.filter(({ topic }) => parseDeviceTopic(topic)?.kind === 'askTime').length
    await eventually(() => expect(questions()).toBe(1))
    await clock.advance(600_000)
    await eventually(() => expect(questions()).toBe(2))
  })

  test('waits for a broker that is not up yet', async () => {
    const before = await startBroker()
    await before.stop()
    const { logged, retry } = connect(before.url)
    await eventually(() => expect(logged).toContain('the broker cannot be used'))
    const after = await startBroker({ port: before.port })
    await retry(1)
    await isOnline(after)
  })

  test('with a wrong secret logs the rejection and sends nothing', async () => {
    const broker = await startBroker({ secret: 'other' })
    const { logged } = connect(broker.url)
    await eventually(() => expect(logged).toContain('the broker cannot be used'))
    expect(broker.heard).toEqual([])
  })
})

describe('a device whose broker cannot be used', () => {
  /** Accepts and drops every connection, and counts the attempts. */
  async function unusableBroker(answer?: Buffer) {
    let attempts = 0
    const server = createServer((socket) => {
      attempts += 1
      socket.on('error', () => {})
      if (answer) socket.once('data', () => socket.end(answer))
      else socket.destroy()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { url: `mqtt://127.0.0.1:${port}`, attempts: () => attempts }
  }
  const REFUSED = Buffer.from([0x20, 2, 0, 5])

  test.each([
    ['drops the connection', undefined],
    ['rejects the login', REFUSED],
  ])('retries with growing delays while the broker %s', async (_what, answer) => {
    const { url, attempts } = await unusableBroker(answer)
    const { clock, retry } = connect(url, { random: () => 1 })
    const seconds = [1, 2, 4, 8, 16, 32, 60, 60]
    for (const [index, delay] of seconds.entries()) {
      await retry(index + 1, delay * 1000 - 1)
      expect(attempts()).toBe(index + 1)
      await clock.advance(1)
      await eventually(() => expect(attempts()).toBe(index + 2))
    }
  })

  test('retries at any moment within the first second', async () => {
    const { url, attempts } = await unusableBroker()
    const { retry } = connect(url, { random: () => 0.5 })
    await retry(1, 499)
    expect(attempts()).toBe(1)
    await retry(1, 1)
    await eventually(() => expect(attempts()).toBe(2))
  })

  test('does not retry once it is closed', async () => {
    const { url, attempts } = await unusableBroker()
    const { clock, close, retry } = connect(url, { random: () => 1 })
    await retry(1)
    await close()
    await clock.advance(600_000)
    expect(attempts()).toBe(1)
    expect(clock.waiting()).toEqual([])
  })
})

describe('a command to a device', () => {
  test('is answered to the process that sent it, with its correlation id', async () => {
    const broker = await startBroker()
    connect(broker.url)
    await isOnline(broker)
    expect(await replyTo(broker, 'echo', command({ value: 21.5 }), 'c7')).toEqual({
      topic: topics.reply(DEVICE, 'cloud_1', 'c7', 'ok'),
      text: '{"value":21.5}',
    })
    expect(await replyTo(broker, 'refuse', command({}), 'c8')).toEqual({
      topic: topics.reply(DEVICE, 'cloud_1', 'c8', 'rejected'),
      text: 'no such datapoint',
    })
  })

  test('is answered once each when a thousand arrive together', async () => {
    const broker = await startBroker()
    connect(broker.url)
    await isOnline(broker)
    const before = broker.heard.length
    for (let n = 0; n < 1000; n += 1) broker.send(topics.command(DEVICE, 'echo', 'cloud_1', `n${n}`), command({ n }))
    await eventually(() => expect(broker.heard.length - before).toBeGreaterThanOrEqual(1000))
    const replies = broker.heard.filter(({ topic }) => topic.endsWith('/ok'))
    expect(new Set(replies.map(({ topic }) => topic)).size).toBe(1000)
    expect(replies).toHaveLength(1000)
  })

  test("is judged by the cloud's time", async () => {
    const broker = await startBroker()
    connect(broker.url)
    const HOUR = 3_600_000
    const question = await broker.hears(({ topic }) => parseDeviceTopic(topic)?.kind === 'askTime')
    const asked = parseDeviceTopic(question.topic)
    broker.send(topics.time(DEVICE, asked?.kind === 'askTime' ? asked.asked : ''), String(NOW + HOUR))
    await isOnline(broker)
    const late = await replyTo(broker, 'echo', command({}, NOW + HOUR - 1), 'c1')
    expect(late.text).toBe('the command arrived after its deadline; nothing was done')
    expect((await replyTo(broker, 'echo', command({}, NOW + HOUR), 'c2')).text).toBe('{}')
  })
})

describe('a device that is connected', () => {
  test('announces itself once within a second when cloud processes start', async () => {
    const broker = await startBroker()
    const { clock } = connect(broker.url, { random: () => 0.9 })
    await isOnline(broker)
    const timers = clock.waiting().length
    broker.send(topics.hello(), '')
    broker.send(topics.hello(), '')
    await eventually(() => expect(clock.waiting()).toHaveLength(timers + 1))
    // The reply shows that the second hello has arrived, too.
    await replyTo(broker, 'echo', command({}), 'c1')
    await clock.advance(899)
    expect(statuses(broker)).toHaveLength(1)
    await clock.advance(1)
    await replyTo(broker, 'echo', command({}), 'c2')
    expect(statuses(broker)).toHaveLength(2)
    expect(statuses(broker)[1]).toEqual(statuses(broker)[0])
  })

  test('answers a ping with its status, also without a deadline', async () => {
    const broker = await startBroker()
    connect(broker.url)
    await isOnline(broker)
    const { topic, text } = await replyTo(broker, PING, '', 'ping-1')
    expect(topic).toBe(topics.reply(DEVICE, 'cloud_1', 'ping-1', 'ok'))
    expect(parseDeviceStatus(text)).toEqual(statuses(broker)[0])
  })

  test('that loses its connection is offline by its last will, then back with a new link id', async () => {
    const broker = await startBroker()
    const { retry } = connect(broker.url)
    await isOnline(broker)
    broker.cut()
    await retry(1)
    await eventually(() => expect(statuses(broker)).toHaveLength(3))
    const [first, will, second] = statuses(broker)
    expect(will).toMatchObject({ online: false, link: first?.link })
    expect(second?.online).toBe(true)
    expect(second?.link).not.toBe(first?.link)

    broker.cut()
    await retry(2)
    await eventually(() => expect(statuses(broker)).toHaveLength(5))
    expect(statuses(broker)[3]).toMatchObject({ online: false, link: second?.link })
  })

  test('reconnects to a restarted broker and receives commands there', async () => {
    const before = await startBroker()
    const { retry } = connect(before.url)
    await isOnline(before)
    await before.stop()
    const after = await startBroker({ port: before.port })
    await retry(1)
    await isOnline(after)
    expect((await replyTo(after, 'echo', command({ back: true }), 'c1')).text).toBe('{"back":true}')
  })
})

describe('a device that stops', () => {
  test('can be stopped twice', async () => {
    const broker = await startBroker()
    const { link, close } = connect(broker.url)
    await isOnline(broker)
    await Promise.all([close(), link.close()])
    await link.close()
    // It said goodbye once. The broker adds the last will, because the link is cut without a DISCONNECT.
    await eventually(() => expect(statuses(broker).map(({ online }) => online)).toEqual([true, false, false]))
  })

  test('does not wait for a broker that never answered', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { close, link, clock } = connect(`mqtt://127.0.0.1:${port}`)
    await once(silent, 'connection')
    await close()
    expect(link.connected).toBe(false)
    expect(clock.waiting()).toEqual([])
  })

  test('announces that it is offline', async () => {
    const broker = await startBroker()
    const { close } = connect(broker.url)
    await isOnline(broker)
    await close()
    await eventually(() => expect(statuses(broker).length).toBeGreaterThan(1))
    expect(statuses(broker)[1]).toMatchObject({ online: false, link: statuses(broker)[0]?.link })
  })

  test('does not wait long for a broker that stalls', async () => {
    const broker = await startBroker()
    const { close } = connect(broker.url)
    await isOnline(broker)
    broker.stall()
    await close()
    expect(statuses(broker)).toHaveLength(1)
  })

  test('can be stopped while it is not connected', async () => {
    const broker = await startBroker()
    await broker.stop()
    const { close, logged } = connect(broker.url)
    await eventually(() => expect(logged).toContain('the broker cannot be used'))
    await close()
  })
})

describe('a device whose cloud is too new', () => {
  async function meet(broker: TestBroker, software: object | undefined) {
    const questions = () => broker.heard.filter(({ topic }) => parseDeviceTopic(topic)?.kind === 'askTime')
    await eventually(() => expect(questions().length).toBeGreaterThan(0))
    const asked = parseDeviceTopic(questions().at(-1)?.topic ?? '')
    const answer = software ? `${NOW} ${JSON.stringify(software)}` : String(NOW)
    broker.send(topics.time(DEVICE, asked?.kind === 'askTime' ? asked.asked : ''), answer)
  }

  test('says so, rejects commands with the remedy, still releases, and obeys once the cloud fits again', async () => {
    const broker = await startBroker()
    const { logged } = connect(broker.url)
    await isOnline(broker)
    await meet(broker, { protocol: 99, oldest: 98, version: '9.9.9' })
    const refused = await replyTo(broker, 'echo', command({ a: 1 }), 'c1')
    expect(refused.topic).toMatch(/rejected$/)
    expect(refused.text).toContain('the service (Plantroom 9.9.9) is too new for this controller')
    expect(refused.text).toContain('update the controller')
    expect(logged).toContain('commands are rejected, except cancels; control goes on')
    expect((await replyTo(broker, 'demandResponseCancel', command({ id: 'x' }), 'c2')).topic).toMatch(/ok$/)
    await meet(broker, undefined)
    expect((await replyTo(broker, 'echo', command({ a: 1 }), 'c3')).text).toBe('{"a":1}')
  })
})
