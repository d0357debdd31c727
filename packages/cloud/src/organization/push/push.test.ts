import { createDecipheriv, createECDH, createHash, createPublicKey, hkdfSync, verify } from 'node:crypto'
import { createLog } from '@plantroom/base/log'
import type { Alert } from '@plantroom/contract/alerts'
import { NOT_WORKED_ON } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { runDue } from '../../platform/work/index.ts'
import { describeWork } from '../../platform/work/testing/describe-work.ts'
import { openWebhookBench } from '../webhooks/testing/bench.ts'
import { type Received, startReceiver } from '../webhooks/testing/receiver.ts'
import { DELAYS_MS, pushDelivery } from './deliver-push.ts'
import { derivePushKey } from './push-key.ts'
import { createPushStore } from './push-store.ts'
import { queuePushes } from './queue-pushes.ts'

const log = createLog('test', 'silent')
const AUTH = Buffer.alloc(16, 1)
const HOUR_MS = 3_600_000

function makeBrowser() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return pair
}

/** Decrypts as a browser does: written from the standard, apart from the code that encrypts. */
function decrypt(browser: ReturnType<typeof makeBrowser>, sent: Buffer): string {
  const salt = sent.subarray(0, 16)
  const keyEnd = 21 + (sent[20] ?? 0)
  const serverKey = sent.subarray(21, keyEnd)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), serverKey])
  const secret = Buffer.from(hkdfSync('sha256', browser.computeSecret(serverKey), AUTH, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(sent.subarray(-16))
  const plain = Buffer.concat([decipher.update(sent.subarray(keyEnd, -16)), decipher.final()])
  expect(plain.at(-1)).toBe(2)
  return plain.subarray(0, -1).toString()
}

async function open() {
  const { db, clock, deps } = await openWebhookBench()
  const key = derivePushKey('a key')
  const store = createPushStore(db)
  const kind = pushDelivery({ store, transport: deps.transport, key, contact: 'https://plantroom.example', clock, log })
  const subscribe = async (name: string, endpoint: string, browser = makeBrowser()) => {
    const sessionId = `session of ${endpoint}`
    const times = { created_at: new Date(clock.now()), last_seen_at: new Date(clock.now()) }
    await db
      .insertInto('user_session')
      .values({
        ...{
          id: sessionId,
          token_hash: createHash('sha256').update(endpoint).digest(),
          user_id: `usr_${name}`,
          address: null,
          browser: null,
        },
        ...{ ...times, expires_at: new Date(clock.now() + HOUR_MS), issuer: null, amr: null, acr: null },
      })
      .execute()
    const of = { userId: `usr_${name}`, sessionId, endpoint, at: new Date(clock.now()) }
    await store.subscribe(of, { p256dh: browser.getPublicKey(), auth: AUTH })
    return { browser, sessionId }
  }
  const waiting = async () => (await db.selectFrom('push_message').select(['id', 'due_at', 'attempts']).execute()) ?? []
  const subscriptions = async () => (await db.selectFrom('push_subscription').select('id').execute()).length
  const queue = (opened: readonly (Alert & { siteName: string })[] = [alertOf('a')], name = 'a') =>
    queuePushes(db, `org_${name}`, opened, new Date(clock.now()))
  return {
    db,
    clock,
    kind,
    key,
    subscribe,
    waiting,
    subscriptions,
    queue,
    send: () => runDue({ db, clock, log }, kind),
  }
}

const alertOf = (name: string, device = 'dev_1'): Alert & { siteName: string } => ({
  ...{ id: `alert_${name}_${device}`, kind: 'controller-offline', siteId: `site_${name}`, siteName: `Site ${name}` },
  ...{ deviceId: device, deviceName: 'Roof', subject: { kind: 'device', id: device, name: 'Roof' }, details: {} },
  ...{ beganAt: '2026-01-01T00:00:00Z', openedAt: '2026-01-01T00:01:00Z', closedAt: null, ...NOT_WORKED_ON },
})

describe('new alerts', () => {
  test('become one message for each browser of a person who sees their site', async () => {
    const { queue, subscribe, waiting, db } = await open()
    await subscribe('a', 'https://push.example/1')
    await subscribe('a', 'https://push.example/2')
    await subscribe('b', 'https://push.example/3')
    await queue([alertOf('a'), alertOf('a', 'dev_2')])
    expect(await waiting()).toHaveLength(2)
    // Of a person with a role on another site.
    await db.deleteFrom('push_message').execute()
    await db.insertInto('site').values({ id: 'site_c', organization_id: 'org_a', name: 'Other' }).execute()
    const elsewhere = { role: 'viewer', site_id: 'site_c' } as const
    await db.updateTable('membership').where('user_id', '=', 'usr_a').set(elsewhere).execute()
    await queue()
    expect(await waiting()).toEqual([])
  })

  test('are not sent to a session that has ended', async () => {
    const { queue, subscribe, subscriptions, waiting, clock, db } = await open()
    const { sessionId } = await subscribe('a', 'https://push.example/1')
    clock.step(HOUR_MS)
    await queue()
    expect(await waiting()).toEqual([])
    await db.deleteFrom('user_session').where('id', '=', sessionId).execute()
    expect(await subscriptions()).toBe(0)
  })
})

describe('a message', () => {
  test('is encrypted for the browser and signed with the key that the browser has', async () => {
    const { queue, subscribe, send, waiting, key, clock } = await open()
    const { url, got } = await startReceiver((response) => void response.writeHead(201).end())
    const { browser } = await subscribe('a', url)
    await queue()
    expect(await send()).toBe(1)
    const [received] = got as [Received]
    expect(JSON.parse(decrypt(browser, received.bytes))).toEqual({
      ...{ count: 1, orgId: 'org_a', siteId: 'site_a', site: 'Site a' },
      alert: { id: 'alert_a_dev_1', kind: 'controller-offline', subject: 'Roof', device: 'Roof' },
    })
    expect(received.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '14400', urgency: 'high' })
    const [, head = '', claims = '', signature = '', used = ''] =
      /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)$/.exec(received.headers.authorization ?? '') ?? []
    expect(used).toBe(key.publicKey)
    const point = Buffer.from(used, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
    const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    const isTrue = verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))
    expect(isTrue).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      ...{ aud: new URL(url).origin, sub: 'https://plantroom.example' },
      exp: Math.floor(clock.now() / 1000) + 12 * 3600,
    })
    expect(await waiting()).toEqual([])
  })

  test.each([404, 410])('that is answered with %i ends the subscription', async (status) => {
    const { queue, subscribe, send, waiting, subscriptions } = await open()
    const { url } = await startReceiver((response) => void response.writeHead(status).end())
    await subscribe('a', url)
    await queue()
    await send()
    expect([await waiting(), await subscriptions()]).toEqual([[], 0])
  })

  test('is tried again while the push service fails, and then given up', async () => {
    const { queue, subscribe, send, waiting, subscriptions, clock } = await open()
    const { url, got } = await startReceiver((response) => void response.writeHead(503).end())
    await subscribe('a', url)
    await queue()
    for (const [index, delay] of DELAYS_MS.entries()) {
      expect(await send()).toBe(1)
      expect(await waiting()).toMatchObject([{ attempts: index + 1 }])
      expect(await send()).toBe(0)
      clock.step(2 * delay)
    }
    expect(await send()).toBe(1)
    expect([got.length, await waiting(), await subscriptions()]).toEqual([DELAYS_MS.length + 1, [], 1])
  })
})

test('a person has at most twenty browsers, and one browser is of the person who used it last', async () => {
  const { subscribe, subscriptions, db, clock } = await open()
  for (let number = 0; number < 22; number += 1) {
    await subscribe('a', `https://push.example/${number}`)
    clock.step(1)
  }
  expect(await subscriptions()).toBe(20)
  const store = createPushStore(db)
  await store.unsubscribe('usr_b', 'https://push.example/21')
  expect(await subscriptions()).toBe(20)
  await store.unsubscribe('usr_a', 'https://push.example/21')
  expect(await subscriptions()).toBe(19)
})

test('the key is the same in every process', () => {
  expect(derivePushKey('a key').publicKey).toBe(derivePushKey('a key').publicKey)
  expect(derivePushKey('another').publicKey).not.toBe(derivePushKey('a key').publicKey)
})

describeWork('a message to a browser', async () => {
  const { db, clock, kind, subscribe } = await open()
  const ids = { org_1: 'a', org_2: 'b' } as const
  for (const name of Object.values(ids)) await subscribe(name, `https://push.example/${name}`)
  const browsers = await db.selectFrom('push_subscription').select(['id', 'user_id']).execute()
  return {
    db,
    clock,
    kind,
    async add(name: keyof typeof ids) {
      const to = browsers.find(({ user_id }) => user_id === `usr_${ids[name]}`)?.id ?? ''
      await createPushStore(db).queue(`org_${ids[name]}`, [{ to, payload: '{}' }], new Date(clock.now()))
    },
  }
})
