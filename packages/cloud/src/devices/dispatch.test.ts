import { MAX_MESSAGE_BYTES } from '@plantroom/contract/commands'
import { parseCloudTopic, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { joinAs, OURS } from '../broker/testing/devices.ts'
import { startBroker } from '../broker/testing/embedded.ts'
import { createDispatch } from './dispatch.ts'
import { createInbox } from './inbox.ts'
import { createPendingReplies } from './pending-replies.ts'
import { createPresence } from './presence.ts'
import { createTurns } from './turns.ts'

const TIMEOUT_MS = 10_000
const UNDER_WAY = 32

interface Envelope {
  reqId: string
  keyId: string
  deadline: number
  data: Record<string, unknown>
}

/** A device on a real broker, and a cloud whose time the test moves. */
async function start() {
  const { broker, url } = await startBroker()
  const clock = createManualClock()
  const pending = createPendingReplies(clock)
  const presence = createPresence(pending.abandon)
  const ignore = () => {}
  const receivers = { reports: ignore, measurements: ignore, broadcast: ignore }
  broker.receive(createInbox({ bus: broker, pending, presence, clock, receivers }))
  const settings = {
    bus: broker,
    presence,
    pending,
    turns: createTurns({ underWay: 32, waiting: 256 }),
    clock,
    cloudId: 'cloud_1',
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
  const send = (data: Record<string, unknown> = {}) => dispatch(OURS, 'any', { reqId: 'req', keyId: 'key', data })
  /** The failure of each, in words. */
  const failures = (sent: readonly Promise<Buffer>[]) =>
    Promise.all(sent.map((one) => one.then(String, ({ kind, message }) => `${kind}: ${message}`)))
  /** As many as may be under way, all of them with the device. */
  async function fill() {
    const sent = Array.from({ length: UNDER_WAY }, (_, index) => send({ index }))
    const outcomes = failures(sent)
    await eventually(() => expect(received).toHaveLength(UNDER_WAY))
    return { outcomes }
  }
  return { clock, presence, received, goOnline, goOffline: () => say(false), send, failures, fill }
}

describe('a command to a device that is there', () => {
  test('reaches it with the key it came by and the time by which the caller has its answer, and its reply comes back as it is', async () => {
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

  test('that does not answer fails when the time is up', async () => {
    const { clock, received, goOnline, send, failures } = await start()
    await goOnline()
    const outcomes = failures([send()])
    await eventually(() => expect(received).toHaveLength(1))
    await clock.advance(TIMEOUT_MS)
    expect(await outcomes).toEqual([expect.stringMatching(/^offline: the device did not answer within 10.0 s/)])
  })

  test('that is too large for it is refused, and leaves nothing behind', async () => {
    const { clock, goOnline, send, failures } = await start()
    await goOnline()
    const outcomes = await failures([send({ text: 'x'.repeat(MAX_MESSAGE_BYTES) })])
    expect(outcomes).toEqual([
      expect.stringMatching(/^invalid: the command has \d+ bytes, more than the 4194304 that a device accepts$/),
    ])
    expect(clock.waiting()).toEqual([])
  })
})

describe('a command to a device that is not there', () => {
  test('fails at once, and is not sent when it comes', async () => {
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

  test('fails as soon as it goes, also when it still waited for its turn', async () => {
    const { received, goOnline, goOffline, send, failures, fill } = await start()
    await goOnline()
    const { outcomes: underWay } = await fill()
    const waiting = failures([send(), send()])
    goOffline()
    expect(new Set(await underWay)).toEqual(new Set([expect.stringContaining('went offline before it answered')]))
    expect(new Set(await waiting)).toEqual(
      new Set(['offline: the device is offline; retry with backoff after it has reconnected']),
    )
    expect(received).toHaveLength(UNDER_WAY)
  })
})

describe('a command that waits for its turn', () => {
  test('has only the rest of its time left when it is sent', async () => {
    const { clock, received, goOnline, send, failures, fill } = await start()
    await goOnline()
    await fill()
    const asked = clock.now()
    const outcomes = failures([send({ late: true })])
    await clock.advance(4_000)
    received[0]?.reply('')
    await eventually(() => expect(received).toHaveLength(UNDER_WAY + 1))
    expect(received.at(-1)?.envelope).toMatchObject({ deadline: asked + TIMEOUT_MS, data: { late: true } })
    await clock.advance(6_000)
    expect(await outcomes).toEqual([expect.stringContaining('did not answer within 6.0 s')])
  })

  test('is not sent when its time has run out', async () => {
    const { clock, received, goOnline, send, failures, fill } = await start()
    await goOnline()
    const { outcomes: underWay } = await fill()
    const outcomes = failures([send()])
    await clock.advance(TIMEOUT_MS)
    await underWay
    expect(await outcomes).toEqual([
      'offline: the device was busy for too long; the command was not sent: retry with backoff',
    ])
    expect(received).toHaveLength(UNDER_WAY)
  })

  test('has the same time left when the clock on the wall is set meanwhile', async () => {
    const { clock, received, goOnline, send, failures, fill } = await start()
    await goOnline()
    await fill()
    const outcomes = failures([send()])
    await clock.advance(4_000)
    clock.step(-3_600_000)
    received[0]?.reply('')
    await eventually(() => expect(received).toHaveLength(UNDER_WAY + 1))
    expect(received.at(-1)?.envelope.deadline).toBe(clock.now() + 6_000)
    await clock.advance(6_000)
    expect(await outcomes).toEqual([expect.stringContaining('did not answer')])
  })
})
