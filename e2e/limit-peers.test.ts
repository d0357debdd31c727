import { withoutMbpoll, withoutPymodbus } from '@plantroom/drivers/modbus/testing/pymodbus'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import {
  type ForeignSite,
  foreignRoom,
  libmodbusSite,
  pymodbusSite,
  seenByMbpoll,
  withoutLibmodbus,
} from './support/foreign-site.ts'
import { type LimitedSite, limitedSite, PLAIN_KW } from './support/limited-site.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const CEILING_KW = 30

let stack: Stack
let site: LimitedSite

beforeAll(async () => {
  stack = await startStack()
  site = limitedSite(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const PEERS: readonly { name: string; isMissing: boolean; start: () => Promise<ForeignSite> }[] = [
  { name: 'libmodbus', isMissing: withoutLibmodbus, start: libmodbusSite },
  { name: 'pymodbus', isMissing: withoutPymodbus, start: pymodbusSite },
]

/** With every change, the one that takes less. */
const usual = PEERS.filter(({ name }) => isCampaign || name === 'libmodbus')

describe.each(usual)('a site served by $name', ({ isMissing, start }) => {
  test.skipIf(isMissing || withoutMbpoll)('is kept below its ceiling, as mbpoll reads it', async () => {
    await using peer = await start()
    const seen = seenByMbpoll(peer)
    const { connections } = await stack.commission(foreignRoom(peer.port))
    const battery = connections[0]?.datapoints.find(({ name }) => name === 'Battery')?.id ?? ''
    expect([await seen.setpointKw(), await seen.meterKw()]).toEqual([PLAIN_KW, 45])
    const limit = await site.limit(CEILING_KW, { to: Date.now() + HOUR })
    await eventually(async () => expect(await seen.meterKw()).toBeLessThanOrEqual(CEILING_KW))
    expect(await seen.setpointKw()).toBeLessThanOrEqual(CEILING_KW - 40)

    await seen.peopleDraw(70)
    await eventually(async () => {
      expect(await seen.setpointKw()).toBeLessThanOrEqual(CEILING_KW - 70)
      expect(await seen.meterKw()).toBeLessThanOrEqual(CEILING_KW)
    })
    // An override does not lift it.
    const span = { from: Date.now(), to: Date.now() + HOUR }
    const { status, body } = await stack.partner.override({ datapointId: battery, value: 20, ...span })
    expect(status, body.message).toBe(200)
    await seen.peopleDraw(20)
    await eventually(async () => expect(await seen.setpointKw()).toBeGreaterThan(5))
    expect(await seen.meterKw()).toBeLessThanOrEqual(CEILING_KW)
    await site.release(limit)
    await eventually(async () => expect(await seen.setpointKw()).toBe(20))
    await stack.partner.cancel(body.data.id)
    await eventually(async () => expect(await seen.setpointKw()).toBe(PLAIN_KW))
    await site.audited(limit, ['applied', 'released'])
    await stack.commission({ technicalSystem: foreignRoom(peer.port).technicalSystem, connections: [] })
  })
})
