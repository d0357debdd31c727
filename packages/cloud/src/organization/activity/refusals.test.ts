import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createActivityStore } from './activity-store.ts'
import { createRefusals, MAX_ENTRIES_PER_HOUR, MAX_ENTRIES_PER_LOG } from './refusals.ts'
import { openLog, readChain } from './testing/logs.ts'

async function open() {
  const clock = createManualClock()
  const { db, activity } = await openLog({ clock })
  const store = createActivityStore(db)
  const refusals = createRefusals({ db, activity, store, clock, log: createLog('test', 'silent') })
  onTestFinished(() => refusals.close())
  await db
    .insertInto('organization')
    .values([
      { id: 'org_a', name: 'A' },
      { id: 'org_b', name: 'B' },
    ])
    .execute()
  return { db, clock, refusals }
}

const unknownKey = { action: 'refused', reason: 'unknown-key', route: 'GET /api/x' } as const

describe('refused callers', () => {
  test('of the same kind and network are one entry a minute, with their number', async () => {
    const { db, clock, refusals } = await open()
    for (let count = 0; count < 5_000; count += 1) refusals.add({ ...unknownKey, network: '192.0.2.1' })
    refusals.add({ ...unknownKey, network: '192.0.2.2' })
    clock.advanceNow(1_000)
    refusals.add({ ...unknownKey, network: '192.0.2.1' })
    expect(await readChain(db, 'service')).toEqual([])
    await refusals.flush()
    const entries = await readChain(db, 'service')
    expect(entries.map(({ address, details, outcome }) => [address, details, outcome])).toEqual([
      [
        '192.0.2.1',
        {
          reason: 'unknown-key',
          count: 5_001,
          route: 'GET /api/x',
          firstAt: '2030-01-01T00:00:00.000Z',
          lastAt: '2030-01-01T00:00:01.000Z',
        },
        'refused',
      ],
      ['192.0.2.2', { reason: 'unknown-key', count: 1, route: 'GET /api/x' }, 'refused'],
    ])
  })

  test('are written once a minute', async () => {
    const { db, clock, refusals } = await open()
    refusals.add({ ...unknownKey, network: '192.0.2.1' })
    await clock.advance(60_000)
    await expect.poll(async () => (await readChain(db, 'service')).length).toBe(1)
  })

  test('from any number of networks take bounded memory and few entries', async () => {
    const { db, refusals } = await open()
    for (let host = 0; host < 10_000; host += 1) refusals.add({ ...unknownKey, network: `2001:db8:${host}::/64` })
    await refusals.flush()
    const entries = await readChain(db, 'service')
    expect(entries).toHaveLength(MAX_ENTRIES_PER_LOG + 1)
    const counted = entries.reduce((sum, { details }) => sum + Number(details.count), 0)
    expect(counted).toBe(10_000)
  })

  test('that never stop become one entry a minute, until the next hour', async () => {
    const { db, clock, refusals } = await open()
    const flood = async () => {
      for (let host = 0; host < MAX_ENTRIES_PER_LOG; host += 1)
        refusals.add({ ...unknownKey, network: `192.0.2.${host}` })
      await refusals.flush()
      return (await readChain(db, 'service')).length
    }
    const minutes = MAX_ENTRIES_PER_HOUR / MAX_ENTRIES_PER_LOG
    for (let minute = 0; minute < minutes; minute += 1) await flood()
    expect([await flood(), await flood()]).toEqual([MAX_ENTRIES_PER_HOUR + 1, MAX_ENTRIES_PER_HOUR + 2])
    expect((await readChain(db, 'service')).at(-1)?.details).toEqual({ reason: 'many', count: MAX_ENTRIES_PER_LOG })
    clock.advanceNow(3_600_000)
    expect(await flood()).toBe(MAX_ENTRIES_PER_HOUR + 2 + MAX_ENTRIES_PER_LOG)
  })

  test('are in the log of the organization whose key or account was tried, and in no other', async () => {
    const { db, refusals } = await open()
    await db
      .insertInto('api_key')
      .values({
        id: 'key_a',
        organization_id: 'org_a',
        name: 'Partner',
        secret_hash: Buffer.alloc(32),
        permissions: ['measurement:read'],
        all_sites: true,
        revoked_at: new Date(0),
      })
      .execute()
    await db.insertInto('user_account').values({ id: 'usr_1', email: 'a@example.com', password_hash: null }).execute()
    await db
      .insertInto('membership')
      .values({ user_id: 'usr_1', organization_id: 'org_a', site_id: null, role: 'admin' })
      .execute()
    refusals.add({ ...unknownKey, network: '192.0.2.1', keyId: 'key_a' })
    refusals.add({ ...unknownKey, network: '192.0.2.1', keyId: 'key_none' })
    refusals.add({
      action: 'sign-in-failed',
      reason: 'wrong-password',
      network: '192.0.2.1',
      person: { id: 'usr_1', email: 'a@example.com' },
    })
    refusals.add({ action: 'sign-in-failed', reason: 'unknown-account', network: '192.0.2.1' })
    await refusals.flush()
    const brief = async (chain: string) =>
      (await readChain(db, chain)).map(({ action, subject, details }) => [
        action,
        details.reason,
        subject?.name ?? null,
      ])
    expect(await brief('org_a')).toEqual([
      ['refused', 'revoked-key', 'Partner'],
      ['sign-in-failed', 'wrong-password', 'a@example.com'],
    ])
    expect(await brief('org_b')).toEqual([])
    expect(await brief('service')).toEqual([
      ['refused', 'unknown-key', null],
      ['sign-in-failed', 'unknown-account', null],
    ])
  })
})
