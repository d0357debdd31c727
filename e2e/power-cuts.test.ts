import type { Point } from '@plantroom/edge/device-parts'
import { repeat, repetitions } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { cycle } from './support/override-cycle.ts'
import { reportsOf } from './support/override-reports.ts'
import { FAULTY } from './support/programs.ts'
import { keepRunning } from './support/service-manager.ts'
import { type Stack, startStack } from './support/stack.ts'

const CUTS_PER_POINT = 1
const CUT_TIMEOUT_MS = 60_000

/** Points at which the controller loses power, and the most times a script of dispatches passes each of them. */
const POINTS: readonly [Point, number][] = [
  ['flush:before', 20],
  ['flush:after', 20],
  ['write:before', 8],
  ['write:after', 8],
  ['reply:before', 8],
  ['report:confirmed', 3],
]
const DURING_BOOT = ['flush:before:1', 'flush:after:1', 'flush:after:2', 'write:before:1', 'write:after:1']

let stack: Stack

beforeAll(async () => {
  stack = await startStack({ edgeProgram: FAULTY.edge })
})
afterAll(() => stack?.[Symbol.asyncDispose]())

async function startController(): Promise<void> {
  await stack.edge.start({ PLANTROOM_TEST_CRASH_AT: '' })
  await eventually(async () => expect(await stack.online()).toBe(true))
}

describe('a power cut during dispatches', () => {
  test.each(POINTS)(
    'at %s loses no acknowledged override and keeps none past its end',
    { timeout: repetitions(CUTS_PER_POINT) * CUT_TIMEOUT_MS + CUT_TIMEOUT_MS },
    async (point, most) => {
      await startController()
      await using service = keepRunning(stack.edge)
      await repeat(CUTS_PER_POINT, async ({ random }) => {
        const before = service.crashes
        const crashAt = `${point}:${random.whole(1, most)}`
        const duringBoot = random.whole(1, 4) === 1 ? [random.pick(DURING_BOOT)] : []
        service.crashOnNextStarts(duringBoot)
        await cycle(stack, service, random, crashAt).catch((error: Error) => {
          const points = [crashAt, ...duringBoot].join(' and ')
          throw new Error(`power cut at ${points}: ${error.message}`, { cause: error })
        })
        expect(service.crashes).toBeGreaterThan(before)
      })
    },
  )

  test('leaves no gap and no duplicate in the audit', async () => {
    const reports = await reportsOf(stack)
    expect(reports.map(({ seq }) => seq)).toEqual(reports.map((_, index) => index + 1))
    expect(new Set(reports.map(({ id }) => id)).size).toBe(reports.length)
  })
})
