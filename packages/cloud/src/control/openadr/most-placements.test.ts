import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { expect, test } from 'vitest'
import { runDue } from '../../platform/work/index.ts'
import { createPlacementStore } from './placement-store.ts'
import { MAX_PLACEMENTS } from './reconcile.ts'
import { openBench } from './testing/bench.ts'

test('events that ask for more than a program may have are followed from the first, and the program says how many wait', async () => {
  const bench = await openBench()
  const { vtn, db, clock, programId } = bench
  const eachSecond = (start: number, count: number) =>
    vtn.addEvent({
      ...bench.event(
        start,
        1,
        Array.from({ length: count }, (_, index) => index % 40),
      ),
      intervalPeriod: { start: bench.time(start), duration: 'PT1S' },
    })
  eachSecond(30, MAX_PLACEMENTS)
  eachSecond(1_000, 3)
  const placed = await eventually(async () => {
    await bench.wakeAt(clock.now())
    await runDue({ db, clock, log: createLog('test', 'silent') }, bench.worker)
    const found = await createPlacementStore(db).open(programId, new Date(clock.now()))
    // A very busy machine may lose its lease, and another worker takes over.
    clock.step(10_000)
    expect(found).toHaveLength(MAX_PLACEMENTS)
    return found
  })
  const last = Math.max(...placed.map(({ from }) => from))
  expect(new Date(last).toISOString()).toBe(
    new Date(Date.parse(bench.time(30)) + (MAX_PLACEMENTS - 1) * 1000).toISOString(),
  )
  expect((await bench.state())?.problem).toMatch(
    /^its events ask for 10003 setpoints and limits, and a program may have 10000/,
  )
})
