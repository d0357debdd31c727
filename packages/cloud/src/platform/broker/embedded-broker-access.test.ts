import { deviceFilters, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import type { IClientOptions, IClientPublishOptions } from 'mqtt'
import { describe, expect, test } from 'vitest'
import { connectAs, ended, listenTo, OTHER, OURS, secretOf } from './testing/devices.ts'
import { startBroker } from './testing/embedded.ts'

describe('connecting to the broker', () => {
  test('is allowed with the id and secret of a device', async () => {
    const { url } = await startBroker()
    expect((await connectAs(url, OURS)).connected).toBe(true)
  })

  test.each<[string, IClientOptions]>([
    ['a wrong secret', { password: 'wrong' }],
    ['the secret of another device', { password: secretOf(OTHER) }],
    ['an empty secret', { password: '' }],
    ['an unknown device', { clientId: 'dev_none', username: 'dev_none', password: secretOf('dev_none') }],
    ['a client id that is not the user name', { clientId: OTHER }],
    ['no client id', { clientId: '' }],
  ])('is refused with bad credentials for %s', async (_what, options) => {
    const { url } = await startBroker()
    await expect(connectAs(url, OURS, options)).rejects.toThrow(/Bad username or password/)
  })

  test.each<[string, IClientOptions]>([
    ['a client without a user name', { username: undefined, password: undefined } as never],
    ['a persistent session', { clean: false }],
    ['MQTT 5', { protocolVersion: 5 }],
  ])('is refused for %s', async (_what, options) => {
    const { url } = await startBroker()
    await expect(connectAs(url, OURS, options)).rejects.toThrow()
  })
})

describe('subscribing', () => {
  test('is allowed to messages for the device and to the hello for all', async () => {
    const { url } = await startBroker()
    const granted = await (await connectAs(url, OURS)).subscribeAsync(deviceFilters(OURS))
    expect(granted.map(({ qos }) => qos)).toEqual([0, 0, 0, 0])
  })

  test.each([
    ['the commands of another device', `plantroom/${OTHER}/command/#`],
    ['a command of another device', topics.command(OTHER, 'demandResponseOverride', 'cloud_1', '1')],
    ['its own replies', `plantroom/${OURS}/reply/#`],
    ['the status of another device', topics.status(OTHER)],
    ['the reports of another device', topics.reports(OTHER)],
    ['what is confirmed to another device', `plantroom/${OTHER}/confirm/+/+`],
    ['everything', '#'],
    ['everything below the root', 'plantroom/#'],
    ['every device', 'plantroom/+/command/#'],
    ['any root', `+/${OTHER}/command/#`],
    ['any five levels', '+/+/+/+/+'],
    ['the broker itself', '$SYS/#'],
    ['a share of the commands of another device', `$share/group/plantroom/${OTHER}/command/#`],
  ])('is refused to %s: %s', async (_what, filter) => {
    const { broker, url } = await startBroker()
    const device = await connectAs(url, OURS)
    const other = await connectAs(url, OTHER)
    const heard = listenTo(device)
    const heardByOther = listenTo(other)
    await device.subscribeAsync(deviceFilters(OURS))
    await other.subscribeAsync(deviceFilters(OTHER))

    const refusal = await device.subscribeAsync(filter).catch((error) => error)
    expect(refusal.packet?.granted).toEqual([128])

    const secret = topics.command(OTHER, 'demandResponseOverride', 'cloud_1', '1')
    broker.send(OTHER, secret, Buffer.from('for the other device only'))
    await other.publishAsync(topics.status(OTHER), 'also not for us', { qos: 1, retain: true })
    await eventually(() => expect(heardByOther).toHaveLength(1))
    broker.send(OURS, topics.time(OURS, '1'), Buffer.from('for us'))
    await eventually(() => expect(heard).toContainEqual({ topic: topics.time(OURS, '1'), text: 'for us' }))
    expect(heard).toHaveLength(1)
  })
})

describe('publishing', () => {
  test.each([
    ['a reply', topics.reply(OURS, 'cloud_1', '1', 'ok'), { qos: 0 }],
    ['its retained status', topics.status(OURS), { qos: 1, retain: true }],
    ['a time request', topics.askTime(OURS, '7'), { qos: 0 }],
    ['its reports', topics.reports(OURS), { qos: 1 }],
    ['its measurements', topics.measurements(OURS), { qos: 1 }],
    ['its broadcasts', topics.broadcast(OURS), { qos: 0 }],
  ] as const)('is allowed for %s', async (_what, topic, options) => {
    const { url, received } = await startBroker()
    const device = await connectAs(url, OURS)
    await device.publishAsync(topic, 'text', options)
    await eventually(() => expect(received).toEqual([{ topic, text: 'text' }]))
  })

  test.each<[string, string, IClientPublishOptions]>([
    ['a reply of another device', topics.reply(OTHER, 'cloud_1', '1', 'ok'), { qos: 0 }],
    ['the status of another device', topics.status(OTHER), { qos: 1, retain: true }],
    ['a command', topics.command(OTHER, 'demandResponseOverride', 'cloud_1', '1'), { qos: 0 }],
    ['a command to itself', topics.command(OURS, 'demandResponseOverride', 'cloud_1', '1'), { qos: 0 }],
    ['the reports of another device', topics.reports(OTHER), { qos: 1 }],
    ['the measurements of another device', topics.measurements(OTHER), { qos: 1 }],
    ['a confirmation', topics.confirm(OURS, 'reports', 1), { qos: 0 }],
    ['the hello of the cloud', topics.hello(), { qos: 0 }],
    ['a broker announcement', '$SYS/other/birth', { qos: 0 }],
    ['a disconnect of another client', '$SYS/other/new/clients', { qos: 0 }],
    ['an unknown topic', 'anything', { qos: 0 }],
    ['a retained reply', topics.reply(OURS, 'cloud_1', '1', 'ok'), { qos: 0, retain: true }],
    ['a retained message below its status', `${topics.status(OURS)}/more`, { qos: 1, retain: true }],
    ['QoS 2', topics.status(OURS), { qos: 2 }],
  ])('disconnects the device for %s, and the cloud receives nothing', async (_what, topic, options) => {
    const { url, received } = await startBroker()
    const device = await connectAs(url, OURS)
    const other = await connectAs(url, OTHER)
    device.publish(topic, 'forged', options)
    await ended(device)
    await other.publishAsync(topics.askTime(OTHER, '1'), '')
    await eventually(() => expect(received).toContainEqual({ topic: topics.askTime(OTHER, '1'), text: '' }))
    expect(received).toHaveLength(1)
    expect(other.connected).toBe(true)
  })
})

describe('the last will of a device', () => {
  const will = (topic: string, more = {}) => ({
    topic,
    payload: Buffer.from('gone'),
    qos: 1 as const,
    retain: false,
    ...more,
  })

  test('is delivered when the connection breaks', async () => {
    const { url, received } = await startBroker()
    const device = await connectAs(url, OURS, { will: will(topics.status(OURS), { retain: true }) })
    device.stream.destroy()
    await eventually(() => expect(received).toEqual([{ topic: topics.status(OURS), text: 'gone' }]))
  })

  test.each([
    ['of another device', will(topics.status(OTHER))],
    ['of the broker', will('$SYS/other/new/clients')],
    ['for all devices', will(topics.hello())],
    ['that may not be retained', will(topics.reply(OURS, 'cloud_1', '1', 'ok'), { retain: true })],
    ['with wild cards', will('plantroom/+/status')],
  ])('is not delivered on a topic %s', async (_what, foreign) => {
    const { url, received } = await startBroker()
    const other = await connectAs(url, OTHER)
    const device = await connectAs(url, OURS, { will: foreign })
    const heardByOther = listenTo(other)
    await other.subscribeAsync(deviceFilters(OTHER))
    device.stream.destroy()
    await ended(device)
    // After the device has reconnected, the will of its first link has been handled.
    await connectAs(url, OURS)
    await other.publishAsync(topics.askTime(OTHER, '1'), '')
    await eventually(() => expect(received).toHaveLength(1))
    expect(received).toEqual([{ topic: topics.askTime(OTHER, '1'), text: '' }])
    expect(heardByOther).toEqual([])
  })
})
