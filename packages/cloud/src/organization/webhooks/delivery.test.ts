import { eventually } from '@plantroom/testkit/eventually'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type Lease, runDue, startWork } from '../../platform/work/index.ts'
import { describeWork } from '../../platform/work/testing/describe-work.ts'
import { ATTEMPT_MS, DELAYS_MS } from './deliver.ts'
import { deliveries as kindOf, PER_ORGANIZATION } from './deliveries.ts'
import { type LeasedDelivery, PER_WEBHOOK } from './delivery-store.ts'
import { recordEvent, recordEventFor, recordEvents } from './event-store.ts'
import { openWebhookBench } from './testing/bench.ts'
import { startReceiver } from './testing/receiver.ts'
import { createWebhookStore } from './webhook-store.ts'

const OPENED = { organizationId: 'org_a', siteId: 'site_a', type: 'alert.opened', data: { kind: 'disk-low' } } as const
const DAY_MS = 86_400_000

describe('recording an event', () => {
  test('makes one delivery for each webhook that subscribes, and none for another organization', async () => {
    const { db, add, deliveries } = await openWebhookBench()
    const all = await add('https://one.example/')
    const ofSite = await add('https://two.example/', { siteIds: ['site_a'] })
    const other = [
      await add('https://three.example/', { siteIds: ['site_elsewhere'] }),
      await add('https://four.example/', { types: ['alert.closed'] }),
      await add('https://five.example/', { organizationId: 'org_b' }),
    ]
    await db.transaction().execute((tx) => recordEvent(tx, OPENED))
    await db.transaction().execute((tx) => recordEvent(tx, { ...OPENED, siteId: null }))
    expect((await deliveries(all.id)).length).toBe(2)
    expect((await deliveries(ofSite.id)).length).toBe(1)
    for (const { id } of other) expect(await deliveries(id)).toEqual([])
    const [first] = await deliveries(ofSite.id)
    expect((await deliveries(all.id)).map(({ eventId }) => eventId)).toContain(first?.eventId)
  })

  test('is undone with the change it belongs to', async () => {
    const { db, add, deliveries } = await openWebhookBench()
    const { id } = await add('https://one.example/')
    const failed = db.transaction().execute(async (tx) => {
      await recordEvent(tx, OPENED)
      throw new Error('the change failed')
    })
    await expect(failed).rejects.toThrow('the change failed')
    expect(await deliveries(id)).toEqual([])
  })

  test('stores nothing without a webhook, and takes thousands and any text', async () => {
    const { db, add, deliveries } = await openWebhookBench()
    await recordEvent(db, OPENED)
    expect(await db.selectFrom('webhook_event').selectAll().execute()).toEqual([])
    const { id } = await add('https://one.example/')
    await recordEvents(
      db,
      Array.from({ length: 2_500 }, (_, number) => ({ ...OPENED, data: { name: `\0\ud800'"${number}` } })),
    )
    const { count } = await db
      .selectFrom('webhook_delivery')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    expect([Number(count), (await deliveries(id)).length]).toEqual([2_500, 100])
  })
})

describe('a delivery', () => {
  test('is signed so that Standard Webhooks verifies it, and says what happened', async () => {
    const { db, clock, add, send, deliveries } = await openWebhookBench()
    // The verifier compares with the real time.
    clock.step(Date.now() + 5_000 - clock.now())
    const { url, got } = await startReceiver()
    const { id, secret } = await add(url)
    await recordEvent(db, OPENED)
    expect(await send()).toBe(1)
    const [received] = got
    const [delivery] = await deliveries(id)
    expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
      type: 'alert.opened',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { kind: 'disk-low' },
    })
    expect(() => new Webhook(secret).verify(`${received?.body} `, received?.headers ?? {})).toThrow()
    expect(received?.headers['webhook-id']).toBe(delivery?.eventId)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, status: 204, error: null, nextAttemptAt: null })
    expect(await send()).toBe(0)
  })

  test('is signed with both secrets until the overlap of a rotation ends', async () => {
    const { db, clock, add, send, deps } = await openWebhookBench()
    clock.step(Date.now() + 5_000 - clock.now())
    const { url, got } = await startReceiver()
    const { id, secret: old } = await add(url)
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const until = new Date(clock.now() + 60_000)
    await createWebhookStore(db).rotate('org_a', id, deps.seal.seal(secret, id), until)
    await recordEvent(db, OPENED)
    await send()
    for (const one of [old, secret]) new Webhook(one).verify(got[0]?.body ?? '', got[0]?.headers ?? {})
    clock.step(60_000)
    await recordEvent(db, OPENED)
    await send()
    expect(got[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  })

  test('is retried with the same id and body over about a day, then given up', async () => {
    const { db, clock, add, send, deliveries, webhook } = await openWebhookBench()
    const { url, got } = await startReceiver((response) => void response.writeHead(500).end('out of order'))
    const { id } = await add(url)
    await recordEvent(db, OPENED)
    expect(await send()).toBe(1)
    expect(await deliveries(id)).toMatchObject([
      { state: 'waiting', attempts: 1, status: 500, response: 'out of order', error: 'it answered 500' },
    ])
    for (const delay of DELAYS_MS) {
      clock.step(delay - 1)
      expect(await send()).toBe(0)
      clock.step(1)
      expect(await send()).toBe(1)
    }
    const total = DELAYS_MS.reduce((sum, delay) => sum + delay, 0)
    expect([total > 0.9 * DAY_MS, total < 1.1 * DAY_MS]).toEqual([true, true])
    expect(new Set(got.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', attempts: 11, nextAttemptAt: null }])
    expect((await webhook(id)).disabled_at).toBeNull()
  })

  test('that fails for days disables the webhook, once, and mails the administrators of its organization', async () => {
    const { db, clock, add, send, webhook } = await openWebhookBench()
    const { url, got } = await startReceiver((response) => void response.writeHead(503).end())
    const { id } = await add(url)
    for (let day = 0; day < 4; day += 1) {
      await recordEvent(db, OPENED)
      await send()
      for (const delay of DELAYS_MS) {
        clock.step(delay)
        await send()
      }
    }
    expect(await webhook(id)).toMatchObject({
      disabled_reason: expect.stringMatching(/no delivery has succeeded since/),
    })
    const mails = await db.selectFrom('mail').selectAll().execute()
    expect(mails.map(({ recipient, site_id }) => [recipient, site_id])).toEqual([['a@example.com', null]])
    const tried = got.length
    await recordEvent(db, OPENED)
    clock.step(DAY_MS)
    await send()
    expect(got.length).toBe(tried)
  })

  test('that is answered 410 disables the webhook at once and ends what waits', async () => {
    const { db, add, send, webhook, deliveries } = await openWebhookBench()
    const { url, state } = await startReceiver((response) => void response.writeHead(500).end())
    const { id } = await add(url)
    await recordEvent(db, OPENED)
    await send()
    state.answering = (response) => void response.writeHead(410).end()
    await recordEvent(db, OPENED)
    await send()
    expect((await webhook(id)).disabled_reason).toContain('410')
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(['failed', 'failed'])
  })

  test('does not follow a redirect, and reads a bounded part of the answer', async () => {
    const { db, add, send, deliveries } = await openWebhookBench()
    const target = await startReceiver()
    const { url, state } = await startReceiver(
      (response) => void response.writeHead(302, { location: target.url }).end(),
    )
    const { id } = await add(url)
    await recordEvent(db, OPENED)
    await send()
    expect(target.got).toEqual([])
    expect(await deliveries(id)).toMatchObject([
      { state: 'waiting', status: 302, error: expect.stringMatching('redirect') },
    ])
    // An answer without an end.
    state.answering = (response) => {
      response.writeHead(200)
      const more = () => response.write('x'.repeat(10_000), (error) => !error && more())
      more()
    }
    await recordEvent(db, OPENED)
    await send()
    const [endless] = await deliveries(id)
    expect([endless?.state, endless?.response?.length]).toEqual(['delivered', 1000])
  })

  test('fails without an answer in 10 s, and when the receiver closes the connection', async () => {
    const { db, clock, add, send, deliveries } = await openWebhookBench()
    const { url, got, state } = await startReceiver(() => {})
    const { id } = await add(url)
    await recordEvent(db, OPENED)
    const sending = send()
    await eventually(() => expect(got.length).toBe(1))
    await clock.advance(ATTEMPT_MS)
    await sending
    expect(await deliveries(id)).toMatchObject([{ state: 'waiting', status: null, error: 'no answer within 10 s' }])
    state.answering = (response) => void response.socket?.destroy()
    await recordEvent(db, OPENED)
    await send()
    expect((await deliveries(id))[0]).toMatchObject({
      state: 'waiting',
      status: null,
      error: expect.stringMatching('hang up'),
    })
  })

  test('never leaves for a private address, whatever its name resolves to later', async () => {
    const { url, got } = await startReceiver()
    const { port } = new URL(url)
    const answers = [['127.0.0.1'], [], ['::ffff:127.0.0.1'], ['10.0.0.1', '169.254.169.254']]
    const { createGuard } = await import('../../platform/outbound/index.ts')
    const guard = createGuard({ privateNetworks: [], resolve: async () => answers.shift() ?? ['127.0.0.1'] })
    const { db, clock, add, send, deliveries } = await openWebhookBench({ guard })
    const { id } = await add(`https://rebind.example:${port}/`)
    await recordEvent(db, OPENED)
    for (const delay of DELAYS_MS.slice(0, 5)) {
      await send()
      expect((await deliveries(id))[0]?.error).toBe('rebind.example does not lead to a public address')
      clock.step(delay)
    }
    expect(got).toEqual([])
  })

  test('connects to the address that was checked, not to what the name resolves to meanwhile', async () => {
    const { url, got } = await startReceiver()
    // Nothing else than the checked address can reach the receiver: the name does not exist.
    const guard = { check: (text: string) => new URL(text), resolve: async () => ['127.0.0.1'] }
    const { db, add, send } = await openWebhookBench({ guard })
    await add(url.replace('127.0.0.1', 'no-such-name.invalid'))
    await recordEvent(db, OPENED)
    await send()
    expect(got.map(({ headers }) => headers.host)).toEqual([`no-such-name.invalid:${new URL(url).port}`])
  })

  test('waits when this worker does not have the key of the secret', async () => {
    const { db, add, send, deliveries } = await openWebhookBench()
    const { createSeal } = await import('../../platform/seal/index.ts')
    const { url, got } = await startReceiver()
    const { id } = await add(url)
    await recordEvent(db, OPENED)
    await send({ seal: createSeal('another key', 'webhooks') })
    expect(got).toEqual([])
    expect(await deliveries(id)).toMatchObject([
      { state: 'waiting', attempts: 0, error: expect.stringMatching('factor-key') },
    ])
  })
})

describe('several workers', () => {
  test('never send the same delivery at the same time', async () => {
    const { db, add, send, deliveries } = await openWebhookBench()
    const { url, got } = await startReceiver()
    const { id } = await add(url)
    await recordEvents(
      db,
      Array.from({ length: 30 }, () => OPENED),
    )
    const sent = await Promise.all([send(), send(), send()])
    // A worker skips what another one has locked, so a look may find nothing although something is due.
    sent.push(await send(), await send())
    expect(sent.reduce((sum, count) => sum + count)).toBe(30)
    expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
    expect(got.length).toBe(30)
    expect((await deliveries(id)).every(({ state }) => state === 'delivered')).toBe(true)
  })

  test('send a delivery again, with the same id, that a dead one did not record', async () => {
    const { db, clock, deps, add, send, deliveries } = await openWebhookBench()
    const { url, got } = await startReceiver()
    const { id } = await add(url)
    await recordEvent(db, OPENED)
    const dies = { ...deps.store, markDelivered: async () => Promise.reject(new Error('killed')) }
    await send({ store: dies })
    expect([got.length, await send()]).toEqual([1, 0])
    clock.step(60_000)
    expect(await send()).toBe(1)
    expect(got[0]?.headers['webhook-id']).toBe(got[1]?.headers['webhook-id'])
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('do not let a late one overwrite what another recorded', async () => {
    const { db, clock, deps, add, send, deliveries } = await openWebhookBench()
    const { url } = await startReceiver()
    const { id } = await add(url)
    await recordEvent(db, OPENED)
    const late: LeasedDelivery[] = []
    const halts = { ...kindOf(deps), run: async (lease: Lease<'id'>) => void late.push(await deps.store.open(lease)) }
    await runDue({ db, clock, log: deps.log }, halts)
    clock.step(60_000)
    await send()
    const outcome = { at: new Date(clock.now()), status: 500, response: null, error: 'late' }
    for (const delivery of late) await deps.store.markFailed(delivery, outcome, undefined)
    expect(late.length).toBe(1)
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', error: null }])
  })
})

describe('a slow receiver', () => {
  test('holds up neither other webhooks nor other organizations', async () => {
    const { db, deps, clock, add } = await openWebhookBench()
    const slow = await startReceiver(() => {})
    const fast = await startReceiver()
    for (let count = 0; count < 10; count += 1) await add(`${slow.url}/${count}`)
    await add(fast.url, { organizationId: 'org_b' })
    await recordEvents(
      db,
      Array.from({ length: 20 }, () => OPENED),
    )
    await recordEvent(db, { ...OPENED, organizationId: 'org_b', siteId: 'site_b' })
    // The events are of today, and the clock of the worker is years ahead.
    const sender = startWork({ db, clock, log: deps.log }, kindOf(deps))
    await eventually(() => expect([fast.got.length, slow.got.length]).toEqual([1, PER_ORGANIZATION]))
    const perWebhook = Object.values(Object.groupBy(slow.got, ({ path }) => path)).map((list) => list?.length ?? 0)
    expect(Math.max(...perWebhook)).toBeLessThanOrEqual(PER_WEBHOOK)
    slow.state.answering = (response) => void response.writeHead(204).end()
    await clock.advance(ATTEMPT_MS)
    await sender.stop()
  })
})

test('the log forgets what is older than 30 days', async () => {
  const { db, deps, clock, add, send, deliveries } = await openWebhookBench()
  const { url } = await startReceiver()
  const { id } = await add(url)
  await recordEvent(db, OPENED)
  await send()
  const { at } = await db.selectFrom('webhook_event').select('at').executeTakeFirstOrThrow()
  clock.step(at.getTime() + 30 * DAY_MS - clock.now() - 1)
  await deps.store.removeBefore(new Date(clock.now() - 30 * DAY_MS))
  expect((await deliveries(id)).length).toBe(1)
  clock.step(2)
  await deps.store.removeBefore(new Date(clock.now() - 30 * DAY_MS))
  expect(await deliveries(id)).toEqual([])
})

describeWork('a delivery', async () => {
  const { db, clock, deps, add } = await openWebhookBench()
  const organizations = {
    org_1: { organizationId: 'org_a', siteId: 'site_a' },
    org_2: { organizationId: 'org_b', siteId: 'site_b' },
  }
  return {
    db,
    clock,
    kind: kindOf(deps),
    async add(name: keyof typeof organizations) {
      const { organizationId, siteId } = organizations[name]
      const { id } = await add('https://receiver.example', { organizationId, types: ['alert.closed'] })
      await recordEventFor(db, id, { ...OPENED, organizationId, siteId })
    },
  }
})
