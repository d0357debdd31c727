import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerIs } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { BOILER_KW, type LimitedSite, limitedRoom, limitedSite, PLAIN_KW } from './support/limited-site.ts'
import { FAULTY } from './support/programs.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
/** The building draws 46 to 78 kW without its battery. */
const CEILING_KW = 60
/** Its load changes by this much until the controller has followed. */
const FOLLOWS_WITHIN_KW = 6
const FALLBACK_KW = 30

let stack: Stack
let site: LimitedSite

beforeAll(async () => {
  stack = await startStack({ edgeProgram: FAULTY.edge })
  await stack.commission(limitedRoom(stack.simulator.ready.modbus.port))
  site = limitedSite(stack)
  await registerIs(site.power, PLAIN_KW)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const isBounded = () => site.staysBelow(CEILING_KW + FOLLOWS_WITHIN_KW)
const below = async (kw: number) => eventually(async () => expect(await site.power.register()).toBeLessThan(kw))

/** Places a limit that bounds the site after the cloud was killed: one that lasts longer where the machine was too slow. */
async function limitThatOutlivesTheCloud(): Promise<{ limit: string; to: number }> {
  for (let lastsMs = 12_000; ; lastsMs *= 3) {
    const to = Date.now() + lastsMs
    const limit = await site.limit(CEILING_KW, { to })
    // The building may rise at the moment of one reading. Without a limit, the battery would keep it above.
    const isKept = () =>
      eventually(async () => {
        const flowKw = await site.flowKw()
        if (Date.now() >= to) return false
        expect(flowKw).toBeLessThan(CEILING_KW + FOLLOWS_WITHIN_KW)
        return true
      })
    await isKept()
    await stack.cloud.kill()
    if (await isKept()) return { limit, to }
    await stack.cloud.start()
    await eventually(async () => expect(await stack.online()).toBe(true))
  }
}

describe('an override and a limit', () => {
  test('the limit bounds the override that was there, ends on time without the cloud, and the full value returns', async () => {
    const override = await site.power.place(45, { to: Date.now() + HOUR })
    await registerIs(site.power, 45)
    const { limit, to } = await limitThatOutlivesTheCloud()
    await registerIs(site.power, 45)
    expect(Date.now()).toBeGreaterThanOrEqual(to - 1_000)
    await stack.cloud.start()
    await eventually(async () => expect((await site.power.cancel(override)).status).toBe(200))
    await site.isAsBefore()
    await site.audited(limit, ['applied', 'released'])
    const entries = await eventually(async () => {
      const found = (await site.power.reports()).filter(({ overrideId }) => overrideId === override)
      expect(found.map(({ phase }) => phase).join()).toMatch(/^applied(,limited,limited)+,released$/)
      return found
    })
    const moved = entries.filter(({ phase }) => phase === 'limited').map(({ value }) => value)
    expect(moved.at(-1)).toBe(45)
    expect(moved.at(-2)).toBeLessThan(45)
  })

  test.runIf(isCampaign)(
    'an override that ends first leaves the load bounded, and then what it had returns',
    async () => {
      const override = await site.power.place(45, { to: Date.now() + 8_000 })
      const limit = await site.limit(CEILING_KW, { to: Date.now() + HOUR })
      await isBounded()
      await eventually(async () => {
        const phases = (await site.power.reports()).filter(({ overrideId }) => overrideId === override)
        expect(phases.at(-1)).toMatchObject({ phase: 'released', reason: 'ended' })
      })
      await isBounded()
      expect(await site.power.register()).not.toBe(PLAIN_KW)
      await site.release(limit)
      await site.isAsBefore()
      await site.audited(limit, ['applied', 'released'])
    },
  )

  test.runIf(isCampaign)('of two limits the strictest counts, and the other one when it is released', async () => {
    const wide = await site.limit(CEILING_KW, { to: Date.now() + HOUR })
    await isBounded()
    const strict = await site.limit(40, { to: Date.now() + HOUR })
    await site.staysBelow(40 + FOLLOWS_WITHIN_KW)
    await site.release(strict)
    await eventually(async () => expect(await site.flowKw()).toBeGreaterThan(50))
    await isBounded()
    await site.release(wide)
    await site.isAsBefore()
    for (const id of [wide, strict]) await site.audited(id, ['applied', 'released'])
  })
})

test('under an override and a limit, a meter that cannot be read leads to the fallback until it is back', async () => {
  const room = (more: object) => stack.commission(limitedRoom(stack.simulator.ready.modbus.port, more))
  await room({ fallback: { importKw: FALLBACK_KW } })
  const limit = await site.limit(CEILING_KW, { to: Date.now() + HOUR })
  await below(PLAIN_KW)
  const override = await site.power.place(50, { to: Date.now() + HOUR })
  await isBounded()
  // The last reading of a silent meter counts for 90 seconds: only campaigns wait for that.
  const fault = isCampaign ? 'modbus:silent' : 'modbus:exception=4'
  stack.simulator.send({ faults: [fault, 'modbus:only-unit=2'] })
  await site.becomes('fallback')
  // No load gets more than it had at the last reading.
  await eventually(async () => expect(await site.power.register()).toBeLessThanOrEqual(FALLBACK_KW - BOILER_KW))
  expect(await site.boilerIsOn()).toBe(true)
  stack.simulator.send({ faults: [] })
  await site.becomes('limited')
  await isBounded()
  await site.release(limit)
  await registerIs(site.power, 50)
  await site.power.cancel(override)
  await site.isAsBefore()
  await room({})
  await site.audited(limit, ['applied', 'released'])
})

/** Where a controller dies when a limit begins, and when it ends. */
const STEPS = [
  { begins: 'write:after:1', ends: 'write:before:1' },
  { begins: 'write:before:1', ends: 'write:after:1' },
  // Before the limit is on the disk, and before its end is.
  { begins: 'flush:before:1', ends: 'flush:before:1' },
  // On the disk, and not acknowledged.
  { begins: 'reply:before:1', ends: 'flush:after:1' },
  // Accepted, and not started.
  { begins: 'flush:after:1', ends: 'write:before:1' },
  { begins: 'report:confirmed:1', ends: 'report:confirmed:1' },
] as const

describe('a controller that is killed', () => {
  test.each(STEPS.slice(0, isCampaign ? STEPS.length : 1))(
    'at $begins when a limit begins, and at $ends when it ends, keeps it, gives the load back and accounts for it once',
    async ({ begins, ends }) => {
      const diesAt = async (point: string, when: () => Promise<unknown>) => {
        stack.edge.send({ crashAt: point })
        await when()
        await stack.edge.ended
        await stack.edge.start({ PLANTROOM_TEST_CRASH_AT: '' })
      }
      let limit = ''
      await diesAt(begins, async () => {
        limit = await site.ask(CEILING_KW, { to: Date.now() + HOUR })
      })
      await site.accepted(limit)
      await below(PLAIN_KW)
      await isBounded()
      await site.audited(limit, ['applied'])
      await diesAt(ends, () => site.release(limit))
      await site.isAsBefore()
      await site.audited(limit, ['applied', 'released'])
      await site.becomes('unlimited')
    },
  )

  test.runIf(isCampaign)('and starts after the end of a limit gives the load back and closes the limit', async () => {
    const to = Date.now() + 15_000
    const limit = await site.limit(CEILING_KW, { to })
    await below(PLAIN_KW)
    await site.audited(limit, ['applied'])
    await stack.edge.kill()
    const left = await site.power.register()
    await eventually(() => expect(Date.now()).toBeGreaterThan(to))
    expect(await site.power.register()).toBe(left)
    await stack.edge.start()
    await site.isAsBefore()
    await site.audited(limit, ['applied', 'released'])
  })
})
