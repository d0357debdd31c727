import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registerIs } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { BOILER_KW, type LimitedSite, limitedRoom, limitedSite, PLAIN_KW } from './support/limited-site.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const FALLBACK_KW = 30

let stack: Stack
let site: LimitedSite

beforeAll(async () => {
  stack = await startStack()
  await stack.commission(limitedRoom(stack.simulator.ready.modbus.port, { fallback: { importKw: FALLBACK_KW } }))
  site = limitedSite(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

beforeEach(async () => {
  misbehave()
  await registerIs(site.power, PLAIN_KW)
})

/** Replaces all faults of the plant and its equipment. */
const misbehave = (...faults: string[]) => stack.simulator.send({ faults })

/** Ends a limit, after which the loads have what they had. */
async function end(limit: string): Promise<void> {
  misbehave()
  await site.release(limit)
  await site.isAsBefore()
  await site.audited(limit, ['applied', 'released'])
}

describe('under a limit', () => {
  test('a battery that refuses is followed by the boiler, and by the alarm that everything is used up', async () => {
    const before = await site.batteryKw()
    misbehave('battery:refuses')
    const limit = await site.limit(20, { to: Date.now() + HOUR })
    await registerIs(site.power, -50)
    await eventually(async () => expect(await site.boilerIsOn()).toBe(false))
    await site.becomes('exhausted')
    expect(await site.batteryKw()).toBe(before)
    await end(limit)
  })

  test('a meter that freezes is not believed', async () => {
    const limit = await site.limit(60, { to: Date.now() + HOUR })
    await site.staysBelow(66)
    misbehave('meter:frozen')
    // What the controller moves now does not show.
    const strict = await site.limit(40, { to: Date.now() + HOUR })
    await site.becomes('fallback')
    expect(await site.power.register()).toBeLessThanOrEqual(FALLBACK_KW - BOILER_KW)
    misbehave()
    await site.becomes('limited')
    await site.staysBelow(46)
    await site.release(strict)
    await end(limit)
  })

  test.each(['meter:late=8000', 'meter:every=10000'])(
    'a meter with %s keeps the site below its ceiling without swinging',
    async (fault) => {
      misbehave(fault)
      const override = await site.power.place(45, { to: Date.now() + HOUR })
      const limit = await site.limit(60, { to: Date.now() + HOUR })
      await site.staysBelow(66)
      const seen: number[] = []
      const until = Date.now() + 60_000
      await eventually(async () => {
        seen.push(await site.flowKw())
        expect(Date.now()).toBeGreaterThan(until)
      })
      // The load of the building itself moves by a kilowatt in ten seconds, and the boiler by nine.
      expect(seen.reduce((sum, kw) => sum + kw, 0) / seen.length).toBeLessThan(62)
      expect(Math.max(...seen)).toBeLessThan(60 + BOILER_KW + 6)
      await site.power.cancel(override)
      await end(limit)
    },
  )
})
