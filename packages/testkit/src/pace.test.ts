import { expect, test } from 'vitest'
import { createManualClock } from './manual-clock.ts'
import { choosePace } from './pace.ts'

/** How many timers of a manual clock have run when work that takes ten turns of the event loop is done. */
async function timersDuringWork(settled: () => Promise<void>): Promise<number> {
  const clock = createManualClock(0, settled)
  const runAt: number[] = []
  for (let at = 1; at <= 20; at += 1) clock.after(at, () => void runAt.push(at))
  let [isDone, during] = [false, 0]
  const work = (turns: number) => {
    if (turns > 0) return void setImmediate(work, turns - 1)
    isDone = true
    during = runAt.length
  }
  work(10)
  await clock.advance(20)
  expect([isDone, runAt.length]).toEqual([true, 20])
  return during
}

test('work beside a manual clock takes as many timers as turns in the suite, and any number in the campaign', async () => {
  expect(await timersDuringWork(choosePace(false))).toBeGreaterThanOrEqual(9)
  expect(await timersDuringWork(choosePace(true, () => 0))).toBeGreaterThanOrEqual(9)
  expect(await timersDuringWork(choosePace(true, () => 1))).toBe(0)
})
