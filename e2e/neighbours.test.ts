import { getPriority, setPriority } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEEDS } from './support/greedy-deeds.ts'
import type { ImitatedFleet } from './support/imitated-fleet.ts'
import { type Neighbours, OTHER_NETWORK, signIn, startNeighbours, startTenantFleet } from './support/neighbours.ts'
import { type OrdinaryWork, startOrdinaryWork } from './support/ordinary-work.ts'

/** A few ordinary requests differ by as much from one second to the next. */
const NOISE_MS = 50
const QUIET_MS = 10_000
const GREEDY_MS = 10_000

let neighbours: Neighbours
let quietMs: number
let fleet: ImitatedFleet
let work: OrdinaryWork
beforeAll(async () => {
  neighbours = await startNeighbours()
  fleet = await startTenantFleet(neighbours.service, neighbours.ordinary, { count: 3, silent: 0 })
  work = startOrdinaryWork(neighbours.service.cloud.ready.baseUrl, neighbours.ordinary)
  await work.workFor(2_000)
  quietMs = p99(await work.workFor(QUIET_MS))
  // What is greedy has machines of its own: here it gets what the others leave.
  setPriority(getPriority() + 10)
})
afterAll(async () => {
  work?.[Symbol.dispose]()
  await fleet?.kill()
  await neighbours?.[Symbol.asyncDispose]()
})

const p99 = (took: readonly number[]) => took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0

describe.each(Object.keys(DEEDS))('while another organization overdoes its %s', (name) => {
  test('ordinary requests succeed, and take at most twice their time', async () => {
    const stop = new AbortController()
    const greed = DEEDS[name]?.(neighbours, stop.signal).catch((error: unknown) => error)
    try {
      const took = p99(await work.workFor(GREEDY_MS))
      expect(await signIn(neighbours.service, neighbours.ordinary.person, OTHER_NETWORK)).toBe(200)
      expect(took, `quiet: ${Math.round(quietMs)} ms`).toBeLessThan(2 * quietMs + NOISE_MS)
    } finally {
      stop.abort()
    }
    expect(await greed, 'the deed itself').toBeUndefined()
  })
})
