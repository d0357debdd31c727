import { parseDeviceTopic, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { startBroker, type TestBroker } from '../testing/broker.ts'
import { connect, DEVICE, isOnline, NOW, silentListener } from '../testing/linked-device.ts'

describe('the listener of the link', () => {
  const confirm = (upTo: number) => topics.confirm(DEVICE, 'reports', upTo)

  test('hears each time the link is up and the device can be reached', async () => {
    const broker = await startBroker()
    const confirmed: number[] = []
    let times = 0
    const { retry } = connect(broker.url, {
      listener: {
        ...silentListener,
        connected() {
          times += 1
          // Sent immediately: the device hears it only if its subscriptions are active.
          broker.send(confirm(times), '')
        },
        confirmed: (_what, upTo) => void confirmed.push(upTo),
      },
    })
    await eventually(() => expect(confirmed).toEqual([1]))
    broker.cut()
    await retry(1)
    await eventually(() => expect(confirmed).toEqual([1, 2]))
    broker.cut()
    await retry(2)
    await eventually(() => expect(confirmed).toEqual([1, 2, 3]))
  })

  test('hears that a cloud process has started', async () => {
    const broker = await startBroker()
    const greetings: string[] = []
    connect(broker.url, { listener: { ...silentListener, greeted: () => void greetings.push('hello') } })
    await isOnline(broker)
    broker.send(topics.hello(), '')
    await eventually(() => expect(greetings).toEqual(['hello']))
  })

  test('hears what the cloud confirms, by kind and number', async () => {
    const broker = await startBroker()
    const heard: unknown[] = []
    connect(broker.url, { listener: { ...silentListener, confirmed: (...what) => void heard.push(what) } })
    await isOnline(broker)
    broker.send(topics.confirm(DEVICE, 'reports', 7), '')
    broker.send(topics.confirm(DEVICE, 'measurements', 12), '')
    broker.send(`plantroom/${DEVICE}/confirm/reports/all`, '')
    broker.send(`plantroom/${DEVICE}/confirm/else/1`, '')
    broker.send(topics.confirm(DEVICE, 'reports', 8), '')
    await eventually(() => expect(heard).toHaveLength(3))
    expect(heard).toEqual([
      ['reports', 7],
      ['measurements', 12],
      ['reports', 8],
    ])
  })

  test("hears the cloud's time, and nothing of an invalid answer", async () => {
    const broker = await startBroker()
    const heard: number[] = []
    const { clock } = connect(broker.url, {
      listener: { ...silentListener, cloudTime: (time) => void heard.push(time) },
    })
    const question = await broker.hears(({ topic }) => parseDeviceTopic(topic)?.kind === 'askTime')
    const asked = parseDeviceTopic(question.topic)
    const answerTopic = topics.time(DEVICE, asked?.kind === 'askTime' ? asked.asked : '')
    for (const nonsense of ['', 'noon', '{}']) broker.send(answerTopic, nonsense)
    broker.send(answerTopic, String(NOW + 5))
    await eventually(() => expect(heard).toEqual([NOW + 5]))
    expect(clock.now()).toBe(NOW)
  })
})

describe('a message from the device', () => {
  const logged = (broker: TestBroker) =>
    broker.heard.filter(({ topic }) => topic === topics.reports(DEVICE)).map(({ text }) => text)

  test('is sent while the link is up, and dropped, not queued, while it is down', async () => {
    const before = await startBroker()
    const { link, retry } = connect(before.url)
    link.publish(topics.reports(DEVICE), 'too early', 1)
    expect(link.connected).toBe(false)
    await isOnline(before)
    expect(link.connected).toBe(true)
    link.publish(topics.reports(DEVICE), 'first', 1)
    await eventually(() => expect(logged(before)).toEqual(['first']))

    await before.stop()
    await eventually(() => expect(link.connected).toBe(false))
    link.publish(topics.reports(DEVICE), 'into the void', 1)
    const after = await startBroker({ port: before.port })
    await retry(1)
    await isOnline(after)
    link.publish(topics.reports(DEVICE), 'second', 1)
    await eventually(() => expect(logged(after)).toEqual(['second']))
  })
})
