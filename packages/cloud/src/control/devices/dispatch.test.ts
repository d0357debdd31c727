import { createFairQueue } from '@plantroom/base/fair-queue'
import { createLog } from '@plantroom/base/log'
import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { parseCloudTopic, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { joinAs, OURS } from '../../platform/broker/testing/devices.ts'
import { startBroker } from '../../platform/broker/testing/embedded.ts'
import { createInbox } from './device-link.ts'
import { createDispatch, type DispatchOptions } from './dispatch.ts'
import { createPendingReplies } from './pending-replies.ts'
import { createPresence } from './presence.ts'
import { createPresenceCheck } from './presence-check.ts'

const TIMEOUT_MS = 10_000
const RUNNING = 32

interface Envelope {
  reqId: string
  keyId: string
  deadline: number
  data: Record<string, unknown>
}

/** A device on a real broker, and a cloud with a manual clock. */
async function start() {
  const { broker, url } = await startBroker()
  const clock = createManualClock()
  const pending = createPendingReplies(clock)
  const presence = createPresence(pending.abandon)
  const ignore = { receive: () => {} }
  const receivers = { reports: ignore, measurements: ignore, broadcast: ignore, health: ignore, state: ignore }
  const devices = { get: (id: string) => ({ id }), ids: () => [OURS] }
  const log = createLog('test', 'silent')
  const check = createPresenceCheck({ bus: broker, presence, deviceIds: devices.ids, cloudId: 'cloud_1', clock, log })
  broker.receive(createInbox({ bus: broker, devices, pending, presence, check, clock, log, receivers }))
  let known: Promise<void> | undefined
  const settings = {
    bus: broker,
    presence,
    whenKnown: () => known,
    pending,
    queue: createFairQueue({ atOncePerGroup: RUNNING, waitingPerGroup: 256 }, () => new Error('full')),
    clock,
    cloudId: 'cloud_1',
    log,
  }
  const dispatch = createDispatch({ ...settings, replyTimeoutMs: TIMEOUT_MS })

  const received: { command: string; envelope: Envelope; reply(text: string): void }[] = []
  const device = await joinAs(url, OURS)
  device.on('message', (topic, payload) => {
    const message = parseCloudTopic(topic)
    if (message?.kind !== 'command') return
    const reply = topics.reply(OURS, message.cloudId, message.correlationId, 'ok')
    const { command } = message
    received.push({
      command,
      envelope: JSON.parse(payload.toString()),
      reply: (text) => void device.publish(reply, text),
    })
  })
  const say = (online: boolean) => device.publish(topics.status(OURS), JSON.stringify({ online, link: 'link-1' }))
  const goOnline = async () => {
    say(true)
    await eventually(() => expect(presence.isOnline(OURS)).toBe(true))
  }
  const send = (data: Record<string, unknown> = {}, options?: DispatchOptions) =>
    dispatch(OURS, 'any', { reqId: 'req', keyId: 'key', data }, options)
  /** The kind and message of each failure. */
  const failures = (sent: readonly Promise<Buffer>[]) =>
    Promise.all(sent.map((one) => one.then(String, ({ kind, message }) => `${kind}: ${message}`)))
  /** Sends as many commands as may run at a time, until all have reached the device. */
  async function fill() {
    const sent = Array.from({ length: RUNNING }, (_, index) => send({ index }))
    const outcomes = failures(sent)
    await eventually(() => expect(received).toHaveLength(RUNNING))
    return { outcomes }
  }
  /** From now on presence is not known. The returned function makes it known. */
  function unknow(): () => void {
    const settled = Promise.withResolvers<void>()
    known = settled.promise
    return settled.resolve
  }
  return { clock, presence, received, goOnline, goOffline: () => say(false), send, failures, fill, unknow }
}

describe('a command to an online device', () => {
  test('carries the caller and the deadline, and returns the reply unchanged', async () => {
    const { clock, received, goOnline, send } = await start()
    await goOnline()
    const sent = send({ id: 'connection' })
    await eventually(() => expect(received).toHaveLength(1))
    expect(received[0]).toMatchObject({
      command: 'any',
      envelope: { reqId: 'req', keyId: 'key', deadline: clock.now() + TIMEOUT_MS, data: { id: 'connection' } },
    })
    received[0]?.reply('{ "as":  "it is" }')
    expect((await sent).toString()).toBe('{ "as":  "it is" }')
    expect(clock.waiting()).toEqual([])
  })

  test('fails after the timeout when there is no answer', async () => {
    const { clock, received, goOnline, send, failures } = await start()
    await goOnline()
    const outcomes = failures([send()])
    await eventually(() => expect(received).toHaveLength(1))
    await clock.advance(TIMEOUT_MS)
    expect(await outcomes).toEqual([expect.stringMatching(/^offline: the device did not answer within 10.0 s/)])
  })

  test('has the deadline of its sender when that is earlier, and says when it leaves', async () => {
    const { clock, received, goOnline, send, failures } = await start()
    await goOnline()
    const left: number[] = []
    const deadline = clock.now() + 1_500
    const outcomes = failures([send({}, { deadline, onSent: () => void left.push(clock.now()) })])
    await eventually(() => expect(received).toHaveLength(1))
    expect([received[0]?.envelope.deadline, left]).toEqual([deadline, [clock.now()]])
    await clock.advance(1_500)
    expect(await outcomes).toEqual([expect.stringMatching(/^offline: the device did not answer within 1.5 s/)])
    const late = await failures([send({}, { deadline, onSent: () => void left.push(clock.now()) })])
    expect(late).toEqual([expect.stringContaining('the command was not sent')])
    expect([received.length, left.length]).toEqual([1, 1])
  })

  test('is rejected when it is too large, and leaves no timer behind', async () => {
    const { clock, goOnline, send, failures } = await start()
    await goOnline()
    const outcomes = await failures([send({ text: 'x'.repeat(MAX_MESSAGE_BYTES) })])
    expect(outcomes).toEqual([
      expect.stringMatching(/^invalid: the command has \d+ bytes, more than the 4194304 that a device accepts$/),
    ])
    expect(clock.waiting()).toEqual([])
  })
})

describe('a command to an offline device', () => {
  test('fails immediately, and is not sent when the device reconnects', async () => {
    const { clock, received, goOnline, send, failures } = await start()
    expect(await failures([send({ early: true })])).toEqual([
      'offline: the device is offline; retry with backoff after it has reconnected',
    ])
    expect(clock.waiting()).toEqual([])
    await goOnline()
    const sent = send({ early: false })
    await eventually(() => expect(received).toHaveLength(1))
    received[0]?.reply('')
    await sent
    expect(received.map(({ envelope }) => envelope.data)).toEqual([{ early: false }])
  })

  test('fails as soon as the device disconnects, even while it is queued', async () => {
    const { received, goOnline, goOffline, send, failures, fill } = await start()
    await goOnline()
    const { outcomes: running } = await fill()
    const waiting = failures([send(), send()])
    goOffline()
    expect(new Set(await running)).toEqual(new Set([expect.stringContaining('went offline before it answered')]))
    expect(new Set(await waiting)).toEqual(
      new Set(['offline: the device is offline; retry with backoff after it has reconnected']),
    )
    expect(received).toHaveLength(RUNNING)
  })
})

describe('a queued command', () => {
  test('is sent with the remaining time as its deadline', async () => {
    const { clock, received, goOnline, send, failures, fill } = await start()
    await goOnline()
    await fill()
    const sentAt = clock.now()
    const outcomes = failures([send({ late: true })])
    await clock.advance(4_000)
    received[0]?.reply('')
    await eventually(() => expect(received).toHaveLength(RUNNING + 1))
    expect(received.at(-1)?.envelope).toMatchObject({ deadline: sentAt + TIMEOUT_MS, data: { late: true } })
    await clock.advance(6_000)
    expect(await outcomes).toEqual([expect.stringContaining('did not answer within 6.0 s')])
  })

  test('is not sent after its timeout', async () => {
    const { clock, received, goOnline, send, failures, fill } = await start()
    await goOnline()
    const { outcomes: running } = await fill()
    const outcomes = failures([send()])
    await clock.advance(TIMEOUT_MS)
    await running
    expect(await outcomes).toEqual([
      'offline: the device was busy for too long; the command was not sent: retry with backoff',
    ])
    expect(received).toHaveLength(RUNNING)
  })

  test('keeps its remaining time when the wall clock is changed', async () => {
    const { clock, received, goOnline, send, failures, fill } = await start()
    await goOnline()
    await fill()
    const outcomes = failures([send()])
    await clock.advance(4_000)
    clock.step(-3_600_000)
    received[0]?.reply('')
    await eventually(() => expect(received).toHaveLength(RUNNING + 1))
    expect(received.at(-1)?.envelope.deadline).toBe(clock.now() + 6_000)
    await clock.advance(6_000)
    expect(await outcomes).toEqual([expect.stringContaining('did not answer')])
  })
})

describe('a command to a device whose presence is not known yet', () => {
  test('waits and is sent once the device is online', async () => {
    const { unknow, send, goOnline, received } = await start()
    const known = unknow()
    const reply = send()
    await goOnline()
    known()
    await eventually(() => expect(received).toHaveLength(1))
    received[0]?.reply('done')
    expect((await reply).toString()).toBe('done')
  })

  test('fails when the device turns out to be offline', async () => {
    const { unknow, send, failures, received } = await start()
    const known = unknow()
    const outcome = failures([send()])
    known()
    expect(await outcome).toEqual([expect.stringContaining('offline: the device is offline')])
    expect(received).toEqual([])
  })
})
