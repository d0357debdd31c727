import { once } from 'node:events'
import { request } from 'node:http'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import type { FastifyRequest } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../http/server.ts'
import { createEventStreams, type EventStream } from './event-stream.ts'
import { openStream } from './testing/open-stream.ts'

const EVENT = 'event: news\ndata: {"number":1}\n\n'

async function start(
  options: {
    isOpen?: () => Promise<boolean>
    maxStreams?: number
    maxStreamsEach?: number
    ready?: Promise<void>
  } = {},
) {
  const clock = createManualClock()
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  app.decorateRequest('callerId', {
    getter(this: FastifyRequest) {
      return this.headers['x-caller']?.toString()
    },
  })
  const streams = createEventStreams(app, { clock, ...options })
  const opened: EventStream[] = []
  let asked = 0
  for (const path of ['/news', '/news/:orgId']) {
    app.get(path, { exposeHeadRoute: false }, async (_request, reply) => {
      asked += 1
      await options.ready
      opened.push(streams.open(reply, { isOpen: options.isOpen }))
    })
  }
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const send = (data = '{"number":1}') => opened.map((stream) => stream.send('news', data))
  return { clock, app, url: `${base}/news`, streams, opened, send, asked: () => asked }
}

/** Sends events of half a megabyte, one per turn of the event loop. */
async function sendMuch(send: (data: string) => unknown, count: number): Promise<void> {
  const large = JSON.stringify('x'.repeat(500_000))
  for (let times = 0; times < count; times += 1) {
    send(large)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a stream of events', () => {
  test('starts immediately and is not cached or buffered', async () => {
    const { url, send } = await start()
    const stream = await openStream(url)
    expect(stream.response.statusCode).toBe(200)
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    expect(send()).toEqual([true])
    expect(send()).toEqual([true])
    await eventually(() => expect(stream.text()).toBe(`:\n\n${EVENT}${EVENT}`))
  })

  test('is never silent for longer than 3 seconds', async () => {
    const { url, clock, send } = await start()
    const stream = await openStream(url)
    const alive = 'event: alive\ndata: {}\n\n'
    await clock.advance(1499)
    await eventually(() => expect(stream.text()).toBe(':\n\n'))
    await clock.advance(1)
    await eventually(() => expect(stream.text()).toBe(`:\n\n${alive}`))
    send()
    await clock.advance(1500)
    await clock.advance(1500)
    await eventually(() => expect(stream.text()).toBe(`:\n\n${alive}${EVENT}${alive}`))
  })

  test('leaves no timer behind when its reader disconnects', async () => {
    const { url, clock, opened, send } = await start()
    const stream = await openStream(url)
    expect(clock.waiting()).toHaveLength(1)
    stream.request.destroy()
    await eventually(() => expect(clock.waiting()).toEqual([]))
    expect(send()).toEqual([false])
    opened[0]?.end('news', '{}')
  })

  test('leaves no timer behind when its reader disconnects before it opens', async () => {
    const { promise: ready, resolve: open } = Promise.withResolvers<void>()
    const { url, clock, opened, asked, app } = await start({ ready })
    const early = request(url, { agent: false }).end()
    early.on('error', () => {})
    await eventually(() => expect(asked()).toBe(1))
    early.destroy()
    const connections = () => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)))
    await eventually(async () => expect(await connections()).toBe(0))
    open()
    await eventually(() => expect(opened).toHaveLength(1))
    let closed = 0
    opened[0]?.onClose(() => {
      closed += 1
    })
    expect(closed).toBe(1)
    expect(clock.waiting()).toEqual([])
  })

  test('ends with a last event that is never dropped', async () => {
    const { url, clock, opened, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await sendMuch(send, 60)
    expect(send()).toEqual([false])
    opened[0]?.end('news', '"the last"')
    opened[0]?.end('news', '"too late"')
    stream.response.resume()
    await once(stream.response, 'end')
    expect(stream.text().endsWith('event: news\ndata: "the last"\n\n')).toBe(true)
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })

  test('is destroyed at the next heartbeat when its end is not read', async () => {
    const { url, clock, opened, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await sendMuch(send, 60)
    opened[0]?.end()
    expect(clock.waiting()).toHaveLength(1)
    await clock.advance(15_000)
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })

  test('ends when the server closes, without delaying it', async () => {
    const { app, url, clock, send } = await start()
    const streams = [await openStream(url), await openStream(url)]
    const ended = Promise.all(streams.map(({ response }) => once(response, 'end')))
    const closed = app.close()
    send()
    await Promise.all([ended, closed])
    for (const stream of streams) expect(stream.text()).toMatch(/\n\nretry: \d{3,4}\n\n$/)
    expect(clock.waiting()).toEqual([])
  })

  test('does not delay the server when its end is not read', async () => {
    const { app, url, clock, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await sendMuch(send, 60)
    await app.close()
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })

  test('is refused while the server closes', async () => {
    const { promise: ready, resolve: open } = Promise.withResolvers<void>()
    const { app, url, asked } = await start({ ready })
    const answer = fetch(url)
    await eventually(() => expect(asked()).toBe(1))
    const closed = app.close()
    await new Promise((resolve) => setImmediate(resolve))
    open()
    expect((await answer).status).toBe(503)
    await closed
  })

  test('drops events for a slow reader instead of buffering them', async () => {
    const { url, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await sendMuch(send, 200)
    stream.response.resume()
    await eventually(() => {
      send()
      expect(stream.text().endsWith(EVENT)).toBe(true)
    })
    // Only what the buffers of the kernel hold.
    expect(stream.text().split('event: news').length).toBeLessThan(60)
  })

  test('is destroyed when its reader reads nothing for two heartbeats', async () => {
    const { url, clock, send } = await start()
    const stream = await openStream(url)
    stream.response.pause()
    await eventually(async () => {
      await sendMuch(send, 10)
      await clock.advance(15_000)
      expect(clock.waiting()).toEqual([])
    })
  })

  test('is refused with 503 above the limit, until another one ends', async () => {
    const { url } = await start({ maxStreams: 3 })
    const streams = await Promise.all([openStream(url), openStream(url), openStream(url)])
    const refused = await fetch(url)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('limit of 3 open event streams'),
    })
    streams[0]?.request.destroy()
    await eventually(async () => expect((await openStream(url)).response.statusCode).toBe(200))
  })

  test('is refused above the limit of its caller, which does not affect other callers or the operator', async () => {
    const { url } = await start({ maxStreamsEach: 2 })
    const as = async (caller: string) => openStream(url, { 'x-caller': caller })
    const [first] = await Promise.all([as('user:one'), as('user:one')])
    const refused = await fetch(url, { headers: { 'x-caller': 'user:one' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
    expect(await refused.json()).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringContaining('your limit of 2 open event streams'),
    })
    expect((await as('user:other')).response.statusCode).toBe(200)
    for (let count = 0; count < 3; count += 1) expect((await openStream(url)).response.statusCode).toBe(200)
    first?.request.destroy()
    await eventually(async () => expect((await as('user:one')).response.statusCode).toBe(200))
  })
})

describe('the streams of an organization', () => {
  test('are at most half of all, however many keys it has, so that others can still open theirs', async () => {
    const { url } = await start({ maxStreams: 8 })
    const as = (caller: string, organization: string) => openStream(`${url}/${organization}`, { 'x-caller': caller })
    const [first] = await Promise.all(['1', '2', '3', '4'].map((key) => as(`key_${key}`, 'org_a')))
    const refused = await fetch(`${url}/org_a`, { headers: { 'x-caller': 'key_5' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('organization’s limit of 4 open') })
    expect((await as('key_6', 'org_b')).response.statusCode).toBe(200)
    expect((await openStream(`${url}/org_a`)).response.statusCode).toBe(200)
    first?.request.destroy()
    await eventually(async () => expect((await as('key_5', 'org_a')).response.statusCode).toBe(200))
  })
})

describe('the access check of a stream', () => {
  test('runs at every heartbeat and ends the stream when access is lost', async () => {
    let allowed = true
    const { url, clock } = await start({ isOpen: async () => allowed })
    const stream = await openStream(url)
    const ended = once(stream.response, 'end')
    await clock.advance(30_000)
    expect(clock.waiting()).toHaveLength(1)
    allowed = false
    await clock.advance(14_999)
    expect(clock.waiting()).toHaveLength(1)
    await clock.advance(1)
    await ended
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })

  test('runs when access may have changed, for the streams of that organization', async () => {
    const asked: string[] = []
    let allowed = true
    const { url, streams } = await start({
      isOpen: async () => {
        asked.push('asked')
        return allowed
      },
    })
    const stream = await openStream(`${url}/org_a`)
    const ended = once(stream.response, 'end')
    streams.check('org_b')
    streams.check('org_a')
    await eventually(() => expect(asked).toHaveLength(1))
    allowed = false
    streams.check()
    await ended
  })

  test('runs again when access may have changed while it ran', async () => {
    const answers: ((stillOpen: boolean) => void)[] = []
    const { url, streams } = await start({ isOpen: () => new Promise((answer) => answers.push(answer)) })
    const stream = await openStream(url)
    const ended = once(stream.response, 'end')
    streams.check()
    streams.check()
    streams.check()
    expect(answers).toHaveLength(1)
    answers[0]?.(true)
    await eventually(() => expect(answers).toHaveLength(2))
    answers[1]?.(false)
    await ended
  })

  test('ends the stream when it fails', async () => {
    const { url, clock } = await start({ isOpen: () => Promise.reject(new Error('the database is down')) })
    const stream = await openStream(url)
    const ended = once(stream.response, 'end')
    await clock.advance(15_000)
    await ended
  })

  test('ends the stream when it is still pending at the next heartbeat', async () => {
    const { url, clock } = await start({ isOpen: () => new Promise(() => {}) })
    const stream = await openStream(url)
    const ended = once(stream.response, 'end')
    await clock.advance(15_000)
    expect(clock.waiting()).toHaveLength(1)
    await clock.advance(15_000)
    await ended
  })
})
