import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { DEEDS } from './support/greedy-deeds.ts'
import type { ImitatedFleet } from './support/imitated-fleet.ts'
import { dispatchAll, type Neighbours, signIn, startNeighbours, startTenantFleet } from './support/neighbours.ts'

/** A few ordinary requests differ by as much from one second to the next. */
const NOISE_MS = 100
const QUIET_MS = 10_000
const GREEDY_MS = 10_000
const PAUSE_MS = 20

let neighbours: Neighbours
let quietMs: number
let fleet: ImitatedFleet
beforeAll(async () => {
  neighbours = await startNeighbours()
  fleet = await startTenantFleet(neighbours.service, neighbours.ordinary, { count: 3, silent: 0 })
  await workFor(2_000)
  quietMs = p99(await workFor(QUIET_MS))
})
afterAll(async () => {
  await fleet?.kill()
  await neighbours?.[Symbol.asyncDispose]()
})

/** Does what an organization does every day, and resolves with the milliseconds of each request. */
async function workFor(ms: number): Promise<number[]> {
  const { client, ids } = neighbours.ordinary.site
  const took: number[] = []
  const timed = async (act: () => Promise<unknown>) => {
    const begun = performance.now()
    await act()
    took.push(performance.now() - begun)
  }
  for (const until = Date.now() + ms; Date.now() < until; ) {
    await timed(() => client.addRequest({ ...ids, body: { title: 'A tap drips' } }))
    await timed(() => client.listRequests({ ...ids, query: { limit: 20 } }))
    await timed(() => client.listJobs({ ...ids }))
    await timed(() => placeOnAll())
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return took
}

/** Dispatches to the three controllers, and waits until they have accepted. */
async function placeOnAll(): Promise<void> {
  const { orgId, site } = neighbours.ordinary
  const dispatchId = await dispatchAll(neighbours.ordinary)
  await eventually(async () => {
    const { counts } = await site.client.getDispatch({ orgId, dispatchId })
    expect(counts).toMatchObject({ accepted: 3 })
  })
}

const p99 = (took: readonly number[]) => took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0

describe.each(Object.keys(DEEDS))('while another organization overdoes its %s', (name) => {
  test('ordinary requests succeed, and take at most twice their time', async () => {
    const stop = new AbortController()
    const greed = DEEDS[name]?.(neighbours, stop.signal).catch((error: unknown) => error)
    try {
      const took = p99(await workFor(GREEDY_MS))
      expect(await signIn(neighbours.service, neighbours.ordinary.person)).toBe(200)
      expect(took, `quiet: ${Math.round(quietMs)} ms`).toBeLessThan(2 * quietMs + NOISE_MS)
    } finally {
      stop.abort()
    }
    expect(await greed, 'the deed itself').toBeUndefined()
  })
})
