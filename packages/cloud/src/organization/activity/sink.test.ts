import { createHmac } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openOutbound } from '../../platform/outbound/index.ts'
import { startDuties } from '../../platform/work/index.ts'
import { type Sink, sendNext, sinkDuty } from './sink.ts'
import { readSink } from './sink-settings.ts'
import { addSink, countUnsent, type UnsentEntry } from './sink-store.ts'
import { createSyslog, syslogMessage } from './syslog.ts'
import { ANNA, openLog } from './testing/logs.ts'
import { createWebhook } from './webhook.ts'

const log = createLog('test', 'silent')
const { operator } = openOutbound({ privateNetworks: [], clock: createManualClock() })
const SECRET = 'a secret of at least 32 characters!'

/** A sink that can refuse, and what it got. */
function receiver() {
  const got: UnsentEntry[] = []
  let calls = 0
  const state = { fails: false }
  const sink: Sink = {
    name: 'test',
    async send(entries) {
      calls += 1
      if (state.fails) throw new Error('the receiver is down')
      got.push(...entries)
    },
  }
  return { sink, got, state, calls: () => calls, numbers: () => got.map(({ chain, seq }) => `${chain} ${seq}`) }
}

async function open() {
  const { db, activity } = await openLog()
  const clock = createManualClock()
  const act = (chain: string, count = 1) =>
    activity.change({ actor: ANNA }, async (_tx, note) => {
      for (let made = 0; made < count; made += 1) note({ organizationId: chain, action: 'signed-in' })
    })
  return { db, clock, act }
}

describe('sending the activity log on', () => {
  test('delivers every entry once and in the order of its chain, and continues where it stopped', async () => {
    const { db, clock, act } = await open()
    const { sink, numbers } = receiver()
    const deps = { db, sink, clock, log }
    await addSink(db, sink.name)
    await act('org_a', 2)
    await act('org_b')
    expect([await countUnsent(db, sink.name), await sendNext(deps), await sendNext(deps)]).toEqual([3, 3, 0])
    await act('org_a')
    expect([await sendNext(deps), await countUnsent(db, sink.name)]).toEqual([1, 0])
    expect(numbers()).toEqual(['org_a 1', 'org_a 2', 'org_b 1', 'org_a 3'])
  })

  test('keeps the entries of a failed delivery, and a busy organization does not keep others waiting', async () => {
    const { db, clock, act } = await open()
    const { sink, state, numbers } = receiver()
    await addSink(db, sink.name)
    await act('org_busy', 150)
    await act('org_quiet')
    state.fails = true
    await expect(sendNext({ db, sink, clock })).rejects.toThrow('the receiver is down')
    state.fails = false
    expect(await sendNext({ db, sink, clock })).toBe(101)
    expect(numbers()).toContain('org_quiet 1')
    expect(await sendNext({ db, sink, clock })).toBe(50)
  })

  test('is done by one process at a time', async () => {
    const { db, clock, act } = await open()
    const { sink, got } = receiver()
    await addSink(db, sink.name)
    await act('org_a', 50)
    const sent = await Promise.all(Array.from({ length: 8 }, () => sendNext({ db, sink, clock })))
    expect([sent.filter((count) => count > 0), got.length]).toEqual([[50], 50])
  })

  test('retries with growing delays until the receiver is back, and actions never wait for it', async () => {
    const { db, clock, act } = await open()
    const { sink, state, calls, numbers } = receiver()
    state.fails = true
    const running = await startDuties({ db, clock, log }, [sinkDuty({ db, sink, clock })])
    onTestFinished(() => running.stop())
    await act('org_a')
    for (let failures = 1; failures <= 4; failures += 1) {
      await eventually(async () => {
        clock.advanceNow(60_000)
        expect(calls()).toBeGreaterThanOrEqual(failures)
      })
    }
    await act('org_a')
    state.fails = false
    await eventually(async () => {
      clock.advanceNow(60_000)
      expect(numbers()).toEqual(['org_a 1', 'org_a 2'])
    })
  })
})

const entry = (action = 'signed-in') =>
  ({
    chain: 'c',
    seq: 1,
    entry: JSON.stringify({ at: '2030-01-01T00:00:00.000Z', action, outcome: 'done', x: 'õ\n' }),
  }) as const
const never = new AbortController().signal

describe('a webhook', () => {
  async function listen(status: number) {
    const bodies: { body: string; signature: unknown }[] = []
    const server = createHttpServer(async (request, response) => {
      bodies.push({ body: await text(request), signature: request.headers['x-plantroom-signature'] })
      response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('thanks')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
  }

  test('gets the signed texts as lines, with an HMAC of the body', async () => {
    const { url, bodies } = await listen(204)
    await createWebhook({ url, secret: SECRET }, operator).send([entry(), entry('signed-out')], never)
    const body = `${entry().entry}\n${entry('signed-out').entry}\n`
    expect(bodies).toEqual([{ body, signature: `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` }])
  })

  test.each([301, 302, 404, 500])('that answers %i has not got the entries', async (status) => {
    const { url, bodies } = await listen(status)
    await expect(createWebhook({ url, secret: SECRET }, operator).send([entry()], never)).rejects.toThrow(
      `answered ${status}`,
    )
    expect(bodies).toHaveLength(1)
  })
})

describe('syslog', () => {
  test('has priority, time, action and the signed text', () => {
    const message = syslogMessage(entry().entry, 'machine')
    expect(message).toBe(`<110>1 2030-01-01T00:00:00.000Z machine plantroom - signed-in - ${entry().entry}`)
    expect(syslogMessage(entry().entry.replace('done', 'refused'), '-')).toMatch(/^<109>1 /)
  })

  test('over TCP sends frames with their length, and fails when the receiver resets or is missing', async () => {
    const received: string[] = []
    const server = createServer(async (socket) => void received.push(await text(socket))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sink = createSyslog({ transport: 'tcp', host: '127.0.0.1', port })
    await sink.send([entry(), entry('signed-out')], never)
    await eventually(() => expect(received).toHaveLength(1))
    const [length = '', rest = ''] = (received[0] ?? '').split(/ (.*)/s)
    const first = Buffer.from(rest).subarray(0, Number(length)).toString()
    expect(first).toMatch(/^<110>1 .* plantroom - signed-in - \{.*\}$/s)
    expect(Buffer.from(rest).subarray(Number(length)).toString()).toMatch(/^\d+ <110>1 .* signed-out - /)
    server.close()
    await once(server, 'close')
    await expect(sink.send([entry()], never)).rejects.toThrow()
    const rude = createServer((socket) => void socket.resetAndDestroy()).listen(0, '127.0.0.1')
    await once(rude, 'listening')
    onTestFinished(() => void rude.close())
    const other = createSyslog({ transport: 'tcp', host: '127.0.0.1', port: (rude.address() as AddressInfo).port })
    await expect(other.send([entry()], never)).rejects.toThrow()
  })

  test('over UDP sends one datagram per entry', async () => {
    const socket = createSocket('udp4')
    const received: string[] = []
    socket.on('message', (message) => received.push(message.toString()))
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    onTestFinished(() => void socket.close())
    const sink = createSyslog({ transport: 'udp', host: '127.0.0.1', port: socket.address().port })
    await sink.send([entry(), entry('signed-out')], never)
    await eventually(() => expect(received).toHaveLength(2))
    expect(received[1]).toContain('signed-out')
  })
})

describe('the settings of a sink', () => {
  const read = (syslog?: string, webhook?: string, webhookSecret?: string) =>
    readSink({ syslog, webhook, webhookSecret })

  test('are an address for syslog or for a webhook', () => {
    expect(read()).toBeUndefined()
    expect(read('udp://logs.example')).toEqual({ syslog: { transport: 'udp', host: 'logs.example', port: 514 } })
    expect(read('tcp://[::1]:6514')).toEqual({ syslog: { transport: 'tcp', host: '::1', port: 6514 } })
    const url = 'https://logs.example/hook'
    expect(read(undefined, url, SECRET)).toEqual({ webhook: { url, secret: SECRET } })
  })

  test.each([
    [['udp://a', 'https://b', SECRET], 'set only one'],
    [['http://a'], 'PLANTROOM_ACTIVITY_SYSLOG'],
    [['udp://'], 'PLANTROOM_ACTIVITY_SYSLOG'],
    [[undefined, 'http://logs.example', SECRET], 'https://'],
    [[undefined, 'https://user:pass@logs.example', SECRET], 'has no password'],
    [[undefined, 'https://logs.example', 'short'], 'PLANTROOM_ACTIVITY_WEBHOOK_SECRET'],
    [[undefined, 'https://logs.example'], 'PLANTROOM_ACTIVITY_WEBHOOK_SECRET'],
  ] as const)('%j are refused', (given, problem) => {
    expect(() => read(...(given as readonly [string?, string?, string?]))).toThrow(problem)
  })
})
