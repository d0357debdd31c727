import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openChangeFeed } from '../../../platform/db/change-feed.ts'
import { type DatabaseAddress, openDatabase } from '../../../platform/db/database.ts'
import { startProxy } from '../../../platform/db/testing/proxy.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createOrganizationStore } from '../../organizations/organization-store.ts'
import { makeApiKey } from '../secrets.ts'
import { openKeyRegistry } from './key-registry.ts'
import { createKeyStore } from './key-store.ts'

const MINUTE_MS = 60_000
const log = createLog('test', 'silent')

function open(address: DatabaseAddress) {
  const db = openDatabase(address, log)
  onTestFinished(() => db.destroy())
  return db
}

async function start() {
  const connectionString = await createTestDatabase()
  const clock = createManualClock()
  const proxy = await startProxy(connectionString)
  const elsewhere = open({ connectionString })
  const feed = await openChangeFeed({ address: { connectionString }, db: elsewhere, clock, log })
  onTestFinished(() => feed.close())

  await createOrganizationStore(elsewhere).addOrganization('org', 'Organization')
  const store = createKeyStore(elsewhere)
  async function add(expiresAt: Date | null = null) {
    const { id, text, hash } = makeApiKey()
    const scope = { permissions: ['ticket:read' as const], siteIds: null }
    await store.add({ id, organizationId: 'org', name: id, hash, ...scope, expiresAt })
    return { id, text }
  }
  const key = await add()
  const registry = await openKeyRegistry({ store: createKeyStore(open(proxy.address)), feed, clock, log })
  onTestFinished(() => registry.close().catch(() => {}))

  const lastUsed = async (id = key.id) => {
    const listed = await store.list('org', new Date(clock.now()))
    return listed.find((one) => one.id === id)?.lastUsedAt?.getTime()
  }
  const use = (text = key.text, address = '192.0.2.1') => registry.verify(text, address)?.id
  const lastUsedFrom = async () => (await store.list('org', new Date(clock.now())))[0]?.lastUsedFrom
  /** Rotates the key elsewhere and waits for nothing. Returns the new text. */
  async function rotate(overlapMs: number, id = key.id) {
    const { text, hash } = makeApiKey(id)
    const at = new Date(clock.now())
    const previousUntil = new Date(clock.now() + overlapMs)
    const rotated = await store.rotate('org', id, { hash, at, previousUntil, expiresAt: undefined })
    return rotated && text
  }
  const revoke = (id = key.id) => store.revoke('org', id, new Date(clock.now()))
  return { clock, proxy, registry, key, add, use, rotate, revoke, lastUsed, lastUsedFrom }
}

describe('a key', () => {
  test('is known with its permissions, including a new key of another process', async () => {
    const { registry, key, add, use } = await start()
    expect(registry.verify(key.text, '192.0.2.1')).toMatchObject({
      id: key.id,
      organizationId: 'org',
      siteIds: undefined,
    })
    expect(registry.verify(key.text, '192.0.2.1')?.permissions).toEqual(new Set(['ticket:read']))
    const later = await add()
    await eventually(() => expect(use(later.text)).toBe(later.id))
  })

  test('is refused once another process revokes it', async () => {
    const { use, revoke, key } = await start()
    expect(use()).toBe(key.id)
    await revoke()
    await eventually(() => expect(use()).toBeUndefined())
  })

  test('is refused immediately after a refresh', async () => {
    const { registry, use, revoke, key } = await start()
    await revoke()
    await registry.refresh(key.id)
    expect(use()).toBeUndefined()
  })

  test('is refused with the secret of another key or an unknown id', async () => {
    const { key, use } = await start()
    const stranger = makeApiKey().text
    expect(use(stranger)).toBeUndefined()
    expect(use(key.text.slice(0, 17) + stranger.slice(17))).toBeUndefined()
    expect(use('')).toBeUndefined()
  })
})

describe('a key with an expiry', () => {
  test('is refused from that moment on, without a database access', async () => {
    const { clock, proxy, registry, add, use } = await start()
    const { id, text } = await add(new Date(clock.now() + 60_000))
    await registry.refresh(id)
    await proxy.cut()
    await clock.advance(59_999)
    expect([use(text), registry.isActive(id)]).toEqual([id, true])
    await clock.advance(1)
    expect([use(text), registry.isActive(id)]).toEqual([undefined, false])
    await proxy.restore()
  })

  test('cannot be rotated after it', async () => {
    const { clock, add, rotate } = await start()
    const { id } = await add(new Date(clock.now() + 60_000))
    expect(await rotate(0, id)).toBeDefined()
    await clock.advance(60_000)
    expect(await rotate(0, id)).toBeUndefined()
  })
})

describe('a rotated key', () => {
  test('works with both secrets during the overlap, and then with the new one, without a database access', async () => {
    const { clock, proxy, registry, key, use, rotate } = await start()
    const text = await rotate(60_000)
    await eventually(() => expect(use(text)).toBe(key.id))
    await registry.refresh(key.id)
    await proxy.cut()
    await clock.advance(59_999)
    expect([use(key.text), use(text)]).toEqual([key.id, key.id])
    await clock.advance(1)
    expect([use(key.text), use(text)]).toEqual([undefined, key.id])
    await proxy.restore()
  })

  test('works only with the new secret without an overlap', async () => {
    const { registry, key, use, rotate } = await start()
    const text = await rotate(0)
    await registry.refresh(key.id)
    expect([use(key.text), use(text)]).toEqual([undefined, key.id])
  })

  test('works with no secret from before the last rotation but one', async () => {
    const { registry, key, use, rotate } = await start()
    const second = await rotate(60_000)
    const third = await rotate(60_000)
    await registry.refresh(key.id)
    expect([use(key.text), use(second), use(third)]).toEqual([undefined, key.id, key.id])
  })

  test('is refused with every secret once it is revoked', async () => {
    const { registry, key, use, rotate, revoke } = await start()
    const text = await rotate(60_000)
    await revoke()
    await registry.refresh(key.id)
    expect([use(key.text), use(text), await rotate(0)]).toEqual([undefined, undefined, undefined])
  })
})

describe('the last use of a key', () => {
  test('is stored with its address', async () => {
    const { clock, registry, key, use, lastUsedFrom } = await start()
    use(key.text, '192.0.2.7')
    await registry.saveLastUsed()
    expect(await lastUsedFrom()).toBe('192.0.2.7')
    use(key.text, '2001:db8::1')
    await registry.saveLastUsed()
    expect(await lastUsedFrom()).toBe('2001:db8::1')
    clock.step(-3_600_000)
    use(key.text, '192.0.2.9')
    await registry.saveLastUsed()
    expect(await lastUsedFrom()).toBe('2001:db8::1')
  })

  test('is stored once a minute', async () => {
    const { clock, use, lastUsed } = await start()
    use()
    await clock.advance(10_000)
    use()
    const at = clock.now()
    await clock.advance(MINUTE_MS - 10_000 - 1)
    expect(await lastUsed()).toBeUndefined()
    await clock.advance(1)
    await eventually(async () => expect(await lastUsed()).toBe(at))
  })

  test('is stored again in every minute with a use', async () => {
    const { clock, use, lastUsed } = await start()
    for (let minute = 0; minute < 3; minute += 1) {
      use()
      const at = clock.now()
      await clock.advance(MINUTE_MS)
      await eventually(async () => expect(await lastUsed()).toBe(at))
    }
  })

  test('is not changed by a refused use', async () => {
    const { clock, registry, key, use, revoke, lastUsed } = await start()
    await revoke()
    await registry.refresh(key.id)
    use()
    await clock.advance(MINUTE_MS)
    await registry.saveLastUsed()
    expect(await lastUsed()).toBeUndefined()
  })

  test('does not go back with the clock', async () => {
    const { clock, registry, use, lastUsed } = await start()
    use()
    const at = clock.now()
    await registry.saveLastUsed()
    clock.step(-3_600_000)
    use()
    await registry.saveLastUsed()
    expect(await lastUsed()).toBe(at)
  })

  test('is stored after the database recovers', async () => {
    const { clock, proxy, registry, key, add, use, lastUsed } = await start()
    const other = await add()
    await registry.refresh(other.id)
    use(key.text)
    use(other.text)
    const first = clock.now()
    await proxy.cut()
    await clock.advance(MINUTE_MS)
    await expect(registry.saveLastUsed()).rejects.toThrow()
    use(key.text)
    const second = clock.now()
    await proxy.restore()
    await clock.advance(MINUTE_MS)
    await eventually(async () => expect([await lastUsed(key.id), await lastUsed(other.id)]).toEqual([second, first]))
  })

  test('is stored when the registry closes', async () => {
    const { clock, registry, use, lastUsed } = await start()
    use()
    await registry.close()
    expect(await lastUsed()).toBe(clock.now())
  })
})
