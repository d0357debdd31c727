import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerIs } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { type LimitedSite, limitedRoom, limitedSite } from './support/limited-site.ts'
import { FAULTY } from './support/programs.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
/** The building draws 46 to 78 kW without its battery. */
const CEILING_KW = 60
/** Its load changes by this much until the controller has followed. */
const FOLLOWS_WITHIN_KW = 6
const PLAIN = 5
const FALLBACK_KW = 30
const BOILER_KW = 9

let stack: Stack
let site: LimitedSite

beforeAll(async () => {
  stack = await startStack({ edgeProgram: FAULTY.edge })
  await stack.commission(limitedRoom(stack.simulator.ready.modbus.port))
  site = limitedSite(stack)
  await registerIs(site.power, PLAIN)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const isBounded = () => site.staysBelow(CEILING_KW + FOLLOWS_WITHIN_KW)
const below = async (kw: number) => eventually(async () => expect(await site.power.register()).toBeLessThan(kw))

/** The boiler may wait for its minimum time. */
async function isAsBefore(): Promise<void> {
  await registerIs(site.power, PLAIN)
  await eventually(async () => expect(await site.boilerIsOn()).toBe(true))
}

describe('an override and a limit', () => {
  test('the limit bounds the override that was there, and its full value returns when the limit is released', async () => {
    const override = await site.power.place(45, { to: Date.now() + HOUR })
    await registerIs(site.power, 45)
    const limit = await site.limit(CEILING_KW, { to: Date.now() + HOUR })
    await below(45)
    await isBounded()
    await site.release(limit)
    await registerIs(site.power, 45)
    await site.power.cancel(override)
    await isAsBefore()
    await site.audited(limit, ['applied', 'released'])
    const entries = await eventually(async () => {
      const found = (await site.power.reports()).filter(({ overrideId }) => overrideId === override)
      expect(found.map(({ phase }) => phase)).toEqual(['applied', 'limited', 'limited', 'released'])
      return found
    })
    const moved = entries.filter(({ phase }) => phase === 'limited').map(({ value }) => value)
    expect(moved).toEqual([expect.any(Number), 45])
    expect(moved[0]).toBeLessThan(45)
  })

  test('a limit that ends first, on time and without the cloud, gives the override its value', async () => {
    const to = Date.now() + 12_000
    const limit = await site.limit(CEILING_KW, { to })
    await below(PLAIN)
    const override = await site.power.place(45, { to: Date.now() + HOUR })
    await stack.cloud.kill()
    await isBounded()
    expect(Date.now(), 'the machine was too slow for this test').toBeLessThan(to)
    await registerIs(site.power, 45)
    expect(Date.now()).toBeGreaterThanOrEqual(to - 1_000)
    await stack.cloud.start()
    await site.audited(limit, ['applied', 'released'])
    await eventually(async () => expect((await site.power.cancel(override)).status).toBe(200))
    await isAsBefore()
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
      expect(await site.power.register()).not.toBe(PLAIN)
      await site.release(limit)
      await isAsBefore()
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
    await isAsBefore()
    for (const id of [wide, strict]) await site.audited(id, ['applied', 'released'])
  })
})

test('a meter that does not answer leads to the fallback, and the limit counts again when it is back', async () => {
  const room = (more: object) => stack.commission(limitedRoom(stack.simulator.ready.modbus.port, more))
  await room({ fallback: { importKw: FALLBACK_KW } })
  const override = await site.power.place(50, { to: Date.now() + HOUR })
  await registerIs(site.power, 50)
  const limit = await site.limit(CEILING_KW, { to: Date.now() + HOUR })
  await below(50)
  stack.simulator.send({ faults: ['modbus:silent', 'modbus:only-unit=2'] })
  await site.becomes('fallback')
  await registerIs(site.power, FALLBACK_KW - BOILER_KW)
  expect(await site.boilerIsOn()).toBe(true)
  stack.simulator.send({ faults: [] })
  await site.becomes('limited')
  await isBounded()
  await site.release(limit)
  await registerIs(site.power, 50)
  await site.power.cancel(override)
  await isAsBefore()
  await room({})
  await site.audited(limit, ['applied', 'released'])
})

/** Where a controller dies in the life of a limit. */
const STEPS = [
  ['before a limit is on the disk', 'place', 'flush:before:1'],
  ['when a limit is on the disk, and before it is acknowledged', 'place', 'reply:before:1'],
  ['when a limit is accepted and before it starts', 'place', 'flush:after:1'],
  ['before the first load is bounded', 'place', 'write:before:1'],
  ['when the first load is bounded', 'place', 'write:after:1'],
  ['when the start of a limit is confirmed by the cloud', 'place', 'report:confirmed:1'],
  ['before the end of a limit is on the disk', 'release', 'flush:before:1'],
  ['when the end of a limit is on the disk', 'release', 'flush:after:1'],
  ['before the load is given back', 'release', 'write:before:1'],
  ['when the load is given back', 'release', 'write:after:1'],
  ['when the last interval is confirmed by the cloud', 'release', 'report:confirmed:1'],
] as const

/** One of each half is run with every change. */
const USUAL = ['write:after:1', 'write:before:1']

describe('a controller that is killed', () => {
  test.each(STEPS.filter(([, when, point]) => isCampaign || USUAL.indexOf(point) === (when === 'place' ? 0 : 1)))(
    '%s keeps the limit, gives the load back and accounts for it once',
    async (_name, when, point) => {
      const to = Date.now() + HOUR
      let limit = ''
      if (when === 'place') {
        stack.edge.send({ crashAt: point })
        limit = await site.ask(CEILING_KW, { to })
        await stack.edge.ended
        await stack.edge.start({ PLANTROOM_TEST_CRASH_AT: '' })
        await site.accepted(limit)
        await below(PLAIN)
        await isBounded()
        await site.release(limit)
      } else {
        limit = await site.limit(CEILING_KW, { to })
        await below(PLAIN)
        await site.audited(limit, ['applied'])
        stack.edge.send({ crashAt: point })
        await site.release(limit)
        await stack.edge.ended
        await stack.edge.start({ PLANTROOM_TEST_CRASH_AT: '' })
      }
      await isAsBefore()
      await site.audited(limit, ['applied', 'released'])
      await site.becomes('unlimited')
    },
  )

  test.runIf(isCampaign)('and starts after the end of a limit gives the load back and closes the limit', async () => {
    const to = Date.now() + 15_000
    const limit = await site.limit(CEILING_KW, { to })
    await below(PLAIN)
    await site.audited(limit, ['applied'])
    await stack.edge.kill()
    const left = await site.power.register()
    await eventually(() => expect(Date.now()).toBeGreaterThan(to))
    expect(await site.power.register()).toBe(left)
    await stack.edge.start()
    await isAsBefore()
    await site.audited(limit, ['applied', 'released'])
  })
})
