import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFactStore } from '../store/fact-store.ts'
import { openJournal } from '../store/journal.ts'
import { createAlignedTimer } from '../telemetry/aligned-timer.ts'
import { immediateChange } from '../testing/immediate-change.ts'
import { createTimekeeper } from './timekeeper.ts'

const HOUR = 3_600_000

function begin() {
  const clock = createManualClock()
  const start = clock.now()
  const journal = openJournal(temporaryFolder())
  onTestFinished(() => journal.close())
  const facts = createFactStore(journal)
  const restarted = () => createTimekeeper({ facts, clock })
  const keeper = restarted()
  const since = (of = keeper) => of.now().wall - start
  return { clock, start, keeper, restarted, since }
}

describe('the time', () => {
  test("is the clock's until the cloud sends it, and then the cloud's, whatever the clock does", async () => {
    const { clock, start, keeper, since } = begin()
    clock.step(HOUR)
    expect(since()).toBe(HOUR)
    keeper.heardCloudTime(start)
    expect(since()).toBe(0)
    clock.step(-5 * HOUR)
    await clock.advance(10_000)
    expect(since()).toBe(10_000)
  })

  test('stands still until a correction by seconds is made up, and follows a larger one', async () => {
    const { clock, start, keeper, since } = begin()
    keeper.heardCloudTime(start + 10_000)
    expect(since()).toBe(10_000)
    keeper.heardCloudTime(start + 6_000)
    expect(since()).toBe(10_000)
    await clock.advance(3_999)
    expect(since()).toBe(10_000)
    await clock.advance(2)
    expect(since()).toBe(10_001)
    keeper.heardCloudTime(start + 5_000)
    expect(since()).toBe(5_000)
  })

  test('is in whole milliseconds', () => {
    const { start, keeper, since } = begin()
    keeper.heardCloudTime(start + 0.7)
    expect(since()).toBe(0)
  })

  test('is unknown after a start with a clock that was far off, until the cloud sends it', async () => {
    const { clock, start, keeper, restarted } = begin()
    clock.step(2 * HOUR)
    keeper.heardCloudTime(start)
    keeper.remember(immediateChange)
    const next = restarted()
    expect(next.suspect()).toBe(true)
    await clock.advance(HOUR)
    expect(next.suspect()).toBe(true)
    next.heardCloudTime(start + HOUR)
    expect([next.suspect(), next.now().wall - start]).toEqual([false, HOUR])
  })

  test('is recorded anew when the difference from the clock has changed', () => {
    const { clock, start, keeper } = begin()
    keeper.heardCloudTime(start)
    keeper.remember(immediateChange)
    expect(keeper.isCorrected()).toBe(false)
    clock.step(HOUR)
    expect(keeper.isCorrected()).toBe(true)
    keeper.remember(immediateChange)
    expect(keeper.isCorrected()).toBe(false)
  })

  test('keeps measurements aligned and in order while answers of the cloud differ', async () => {
    const { clock, start, keeper } = begin()
    const times: number[] = []
    const timer = createAlignedTimer({
      clock: { ...clock, now: () => keeper.now().wall },
      secondsOf: () => 1,
      due: (groups) => void times.push(...groups.map(({ at }) => at)),
    })
    timer.apply([1])
    for (let turn = 0; turn < 40; turn += 1) {
      keeper.heardCloudTime(start + clock.monotonic() + (turn % 2 === 0 ? 1_000 : -1_000))
      clock.step(turn % 3 === 0 ? HOUR : -HOUR)
      await clock.advance(700)
    }
    timer.close()
    expect(times.length).toBeGreaterThan(10)
    expect(times.every((at) => at % 1_000 === 0)).toBe(true)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  })
})
