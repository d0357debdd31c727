import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createQuotaStore } from '../quota-store.ts'
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts'

const MINUTE = 60_000
const clock = createManualClock()
let db: Db
let throttle: SignInThrottle

/** How long the attempt has to wait; 0 when it is allowed. */
async function wait(email: string, address: string, knownDevice?: string): Promise<number> {
  const attempt = await throttle.begin({ email, address, knownDevice, isKnownAddress: false })
  return 'succeeded' in attempt ? 0 : attempt.retryAfterMs
}

async function succeed(email: string, address: string): Promise<void> {
  const attempt = await throttle.begin({ email, address, knownDevice: undefined, isKnownAddress: false })
  if (!('succeeded' in attempt)) throw new Error('refused')
  await attempt.succeeded()
}

async function fail(times: number, email: (time: number) => string, address: (time: number) => string) {
  for (let time = 0; time < times; time += 1) expect([time, await wait(email(time), address(time))]).toEqual([time, 0])
}

const always = (text: string) => () => text

describe('failed attempts', () => {
  beforeEach(async () => {
    db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
    onTestFinished(() => db.destroy())
    throttle = createSignInThrottle({ store: createQuotaStore(db), clock })
  })

  test('are limited to five per account and address, for 15 minutes after the first', async () => {
    await fail(1, always('a'), always('1'))
    clock.advanceNow(5 * MINUTE)
    await fail(4, always('a'), always('1'))
    expect(await wait('a', '1')).toBe(10 * MINUTE)
    expect(await wait('a', '2')).toBe(0)
    expect(await wait('b', '1')).toBe(0)
    clock.advanceNow(10 * MINUTE - 1)
    expect(await wait('a', '1')).toBe(1000)
    clock.advanceNow(1)
  })

  test('wait twice as long each time, up to a day, until one succeeds or a day has passed', async () => {
    const waits: number[] = []
    for (let times = 0; times < 10; times += 1) {
      await fail(5, always('a'), always('1'))
      const waitMs = await wait('a', '1')
      waits.push(waitMs / MINUTE)
      expect(await wait('a', '1')).toBe(waitMs)
      clock.advanceNow(waitMs)
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440])
    // A day after the last wait.
    clock.advanceNow(1440 * MINUTE)
    await fail(5, always('a'), always('1'))
    expect(await wait('a', '1')).toBe(15 * MINUTE)
    clock.advanceNow(15 * MINUTE)
    await succeed('a', '1')
    await fail(5, always('a'), always('1'))
    expect(await wait('a', '1')).toBe(15 * MINUTE)
  })

  test('above fifty from an address leave each account two more, so one account never stops another', async () => {
    await fail(60, (time) => `a${time}`, always('1'))
    await fail(2, always('b'), always('1'))
    expect(await wait('b', '1')).toBe(15 * MINUTE)
    await fail(5, always('b'), always('2'))
    expect(await wait('c', '1')).toBe(0)
  })

  test('elsewhere do not count against a network that signed in before, where five are allowed', async () => {
    for (let time = 0; time < 200; time += 1) await wait('a', `${time % 40}`)
    const known = () => throttle.begin({ email: 'a', address: 'home', knownDevice: undefined, isKnownAddress: true })
    for (let time = 0; time < 5; time += 1) expect(await known()).toHaveProperty('succeeded')
    expect(await known()).toEqual({ count: 6, retryAfterMs: 15 * MINUTE })
  })

  test('of others do not count against a browser that signed in before', async () => {
    for (let time = 0; time < 200; time += 1) await wait('a', `${time % 40}`)
    expect(await wait('a', 'new')).toBeGreaterThan(0)
    for (let time = 0; time < 5; time += 1) expect(await wait('a', '1', 'known')).toBe(0)
    expect(await wait('a', '1', 'known')).toBe(15 * MINUTE)
    expect(await wait('a', '1', 'another known')).toBe(0)
  })

  test('are limited to a hundred per account', async () => {
    await fail(100, always('a'), (time) => `${time}`)
    expect(await wait('a', 'other')).toBeGreaterThan(0)
    expect(await wait('b', 'other')).toBe(0)
  })

  test('that are refused at one address do not lock the account out elsewhere', async () => {
    await fail(5, always('a'), always('1'))
    for (let times = 0; times < 200; times += 1) await wait('a', '1')
    expect(await wait('a', '2')).toBe(0)
    expect(await wait('b', '1')).toBe(0)
  })

  test('that are withdrawn, because the password was not checked, count for nothing', async () => {
    for (let times = 0; times < 120; times += 1) {
      for (const knownDevice of ['known', undefined]) {
        const attempt = await throttle.begin({ email: 'a', address: '1', knownDevice, isKnownAddress: false })
        if (!('withdraw' in attempt)) throw new Error(`refused after ${times}`)
        await attempt.withdraw()
      }
    }
    await fail(5, always('a'), always('1'))
    expect(await wait('a', '1')).toBe(15 * MINUTE)
  })

  test('that the limit of the account refuses do not count at their address', async () => {
    await fail(100, always('a'), (time) => `${time}`)
    for (let times = 0; times < 20; times += 1) expect(await wait('a', 'home')).toBe(15 * MINUTE)
    clock.advanceNow(15 * MINUTE)
    await fail(5, always('a'), always('home'))
  })

  test('are counted exactly under concurrency', async () => {
    const waits = await Promise.all(Array.from({ length: 30 }, () => wait('a', '1')))
    expect(waits.filter((each) => each === 0)).toHaveLength(5)
  })

  test('are cleared by a success, which does not count itself', async () => {
    for (let times = 0; times < 120; times += 1) await succeed('a', '1')
    await fail(4, always('a'), always('1'))
    await succeed('a', '1')
    await fail(5, always('a'), always('1'))
    expect(await wait('a', '1')).toBeGreaterThan(0)
  })

  test('are stored without readable names or addresses', async () => {
    await wait('mari@example.com', '198.51.100.7')
    const rows = await db.selectFrom('sign_in_failure').selectAll().execute()
    expect(rows).toHaveLength(3)
    for (const { subject } of rows) expect(subject.toString('latin1')).not.toMatch(/mari|198/)
  })
})
