import { createLog } from '@plantroom/base/log'
import { timeAnswer } from '@plantroom/contract/software'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { joinAs, listenTo, OTHER, OURS } from '../../platform/broker/testing/devices.ts'
import { startBroker } from '../../platform/broker/testing/embedded.ts'
import { createInbox } from './device-link.ts'
import { createPendingReplies } from './pending-replies.ts'
import { createPresence } from './presence.ts'
import { createPresenceCheck } from './presence-check.ts'

async function start() {
  const { broker, url } = await startBroker()
  const clock = createManualClock()
  const pending = createPendingReplies(clock)
  const presence = createPresence(pending.abandon)
  const received: string[] = []
  const receiver = (kind: string) => ({
    receive: (deviceId: string, payload: Buffer) => void received.push(`${kind} of ${deviceId}: ${payload}`),
  })
  const receivers = {
    reports: receiver('reports'),
    measurements: receiver('measurements'),
    broadcast: receiver('broadcast'),
    health: receiver('health'),
    state: receiver('state'),
  }
  const logged: string[] = []
  const log = createLog('test', 'warn', { write: (line) => void logged.push(line) })
  const devices = { get: (id: string) => (removed.has(id) ? undefined : { id }), ids: () => [OURS, OTHER] }
  const removed = new Set<string>()
  const check = createPresenceCheck({ bus: broker, presence, deviceIds: devices.ids, cloudId: 'cloud_1', clock, log })
  const inbox = createInbox({ bus: broker, devices, pending, presence, check, clock, log, receivers })
  broker.receive(inbox)
  return { url, clock, pending, presence, inbox, received, removed, logged }
}

const online = (link: string) => JSON.stringify({ online: true, link })

describe('a message from a device', () => {
  test('settles the command it replies to', async () => {
    const { url, pending } = await start()
    const device = await joinAs(url, OURS)
    const [ok, rejected] = [pending.expect(OURS, '1', 1_000), pending.expect(OURS, '2', 1_000)]
    device.publish(topics.reply(OURS, 'cloud_1', '1', 'ok'), 'data')
    device.publish(topics.reply(OURS, 'cloud_1', '2', 'rejected'), 'no')
    expect((await ok).toString()).toBe('data')
    await expect(rejected).rejects.toMatchObject({ kind: 'rejected', message: 'no' })
  })

  test('with its status updates its presence', async () => {
    const { url, presence } = await start()
    const device = await joinAs(url, OURS)
    device.publish(topics.status(OURS), online('link-1'), { qos: 1, retain: true })
    await eventually(() => expect(presence.isOnline(OURS)).toBe(true))
    expect(presence.isOnline(OTHER)).toBe(false)
  })

  test('with reports, measurements or a broadcast goes to its receiver, in order', async () => {
    const { url, received } = await start()
    const device = await joinAs(url, OURS)
    device.publish(topics.reports(OURS), 'r1')
    device.publish(topics.measurements(OURS), 'm1')
    device.publish(topics.broadcast(OURS), 'b1')
    device.publish(topics.reports(OURS), 'r2')
    await eventually(() => expect(received).toHaveLength(4))
    expect(received).toEqual([
      `reports of ${OURS}: r1`,
      `measurements of ${OURS}: m1`,
      `broadcast of ${OURS}: b1`,
      `reports of ${OURS}: r2`,
    ])
  })

  test('that asks for the time is answered only to that device, with its nonce', async () => {
    const { url, clock } = await start()
    const [device, other] = [await joinAs(url, OURS), await joinAs(url, OTHER)]
    const [heard, heardByOther] = [listenTo(device), listenTo(other)]
    await clock.advance(1_234)
    device.publish(topics.askTime(OURS, '77'), '')
    await eventually(() => expect(heard).toEqual([{ topic: topics.time(OURS, '77'), text: timeAnswer(clock.now()) }]))
    expect(heardByOther).toEqual([])
  })

  test.each([
    ['with a reply to nothing', `plantroom/${OURS}/reply/cloud_1//ok`],
    ['with an invalid status', topics.status(OURS)],
    ['with an unknown kind of reply', `plantroom/${OURS}/reply/cloud_1/1/perhaps`],
    ['with a time request without a nonce', `plantroom/${OURS}/ask-time/`],
    ['with a time request with a very long nonce', topics.askTime(OURS, 'x'.repeat(60_000))],
  ])('%s is ignored', async (_what, topic) => {
    const { url, presence } = await start()
    const device = await joinAs(url, OURS)
    const heard = listenTo(device)
    device.publish(topic, 'anything')
    device.publish(topics.status(OURS), online('link-1'))
    device.publish(topics.askTime(OURS, '1'), '')
    await eventually(() => expect(heard).toHaveLength(1))
    expect(heard[0]?.topic).toBe(topics.time(OURS, '1'))
    expect(presence.isOnline(OURS)).toBe(true)
  })
})

describe('a device that does not exist', () => {
  test('is ignored, whatever it sends, and named in the log once a minute', async () => {
    const { url, presence, received, removed, logged } = await start()
    removed.add(OTHER)
    const [device, other] = [await joinAs(url, OURS), await joinAs(url, OTHER)]
    const [heard, heardByOther] = [listenTo(device), listenTo(other)]
    other.publish(topics.status(OTHER), online('link-1'), { qos: 1, retain: true })
    other.publish(topics.reports(OTHER), 'r')
    other.publish(topics.measurements(OTHER), 'm')
    other.publish(topics.broadcast(OTHER), 'b')
    await other.publishAsync(topics.askTime(OTHER, '1'), '', { qos: 1 })
    device.publish(topics.askTime(OURS, '1'), '')
    await eventually(() => expect(heard).toHaveLength(1))
    expect([presence.isOnline(OTHER), received, heardByOther]).toEqual([false, [], []])
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ device: OTHER, count: 1 }])
  })

  test('is not named because the broker still keeps its last status', async () => {
    const { inbox, presence, removed, logged } = await start()
    removed.add(OTHER)
    inbox.message(topics.status(OTHER), Buffer.from(online('link-1')), true)
    expect([presence.isOnline(OTHER), logged]).toEqual([false, []])
  })
})

describe('losing the broker', () => {
  test('marks all devices as offline and fails their pending commands', async () => {
    const { presence, pending, inbox, clock } = await start()
    inbox.message(topics.status(OURS), Buffer.from(online('link-1')))
    const reply = pending.expect(OURS, '1', 1_000)
    inbox.lost()
    await expect(reply).rejects.toMatchObject({ kind: 'offline' })
    expect(presence.isOnline(OURS)).toBe(false)
    expect(clock.waiting()).toEqual([])
  })
})
