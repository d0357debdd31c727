import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openChangeFeed } from '../../db/change-feed.ts'
import { type DatabaseAddress, openDatabase } from '../../db/database.ts'
import { startProxy } from '../../db/testing/proxy.ts'
import { createOrganizationStore } from '../../organizations/organization-store.ts'
import { createTestDatabase } from '../../testing/database.ts'
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
  async function add() {
    const { id, text, hash } = makeApiKey()
    await store.add({ id, organizationId: 'org', name: id, hash, permissions: ['ticket:read'], siteIds: null })
    return { id, text }
  }
  const key = await add()
  const registry = await openKeyRegistry({ store: createKeyStore(open(proxy.address)), feed, clock, log })
  onTestFinished(() => registry.close().catch(() => {}))

  const lastUsed = async (id = key.id) => {
    const listed = await store.list('org')
    return listed.find((one) => one.id === id)?.lastUsedAt?.getTime()
  }
  const use = (text = key.text) => registry.verify(text)?.id
  const revoke = (id = key.id) => store.revoke('org', id, new Date(clock.now()))
  return { clock, proxy, registry, key, add, use, revoke, lastUsed }
}

describe('a key', () => {
  test('is known with its permissions, including a new key of another process', async () => {
    const { registry, key, add, use } = await start()
    expect(registry.verify(key.text)).toMatchObject({ id: key.id, organizationId: 'org', siteIds: undefined })
    expect(registry.verify(key.text)?.permissions).toEqual(new Set(['ticket:read']))
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

describe('the last use of a key', () => {
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
