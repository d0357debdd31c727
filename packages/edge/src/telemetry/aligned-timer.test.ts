import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createAlignedTimer } from './aligned-timer.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Items named after their interval in seconds. Logs what is due, for example `12:00:05 5,5`. */
function timerOf(items: readonly number[], { now = NOON } = {}) {
  const clock = createManualClock(now)
  const wakes: string[][] = []
  const timer = createAlignedTimer<number>({
    clock,
    secondsOf: (item) => item,
    due: (groups) =>
      void wakes.push(groups.map(({ at, items }) => `${new Date(at).toISOString().slice(11, 19)} ${items.join()}`)),
  })
  timer.apply(items)
  return { clock, timer, wakes, takeFired: () => wakes.splice(0) }
}

describe('a recurring item', () => {
  test('is due at whole multiples of its interval, whenever it was started', async () => {
    const { clock, takeFired } = timerOf([5], { now: NOON + 1234 })
    await clock.advance(3_765)
    expect(takeFired()).toEqual([])
    await clock.advance(1)
    expect(takeFired()).toEqual([['12:00:05 5']])
    await clock.advance(10_000)
    expect(takeFired()).toEqual([['12:00:10 5'], ['12:00:15 5']])
  })

  test('is due together with all items of the same moment, and no others', async () => {
    const { clock, takeFired } = timerOf([2, 3, 2])
    await clock.advance(6_000)
    expect(takeFired()).toEqual([['12:00:02 2,2'], ['12:00:03 3'], ['12:00:04 2,2'], ['12:00:06 2,2', '12:00:06 3']])
  })

  test('is never due when its interval is 0', async () => {
    const { clock, takeFired } = timerOf([0])
    expect(clock.waiting()).toEqual([])
    await clock.advance(24 * HOUR)
    expect(takeFired()).toEqual([])
  })

  test('may recur once a day', async () => {
    const { clock, takeFired } = timerOf([86_400])
    await clock.advance(48 * HOUR)
    expect(takeFired()).toEqual([['00:00:00 86400'], ['00:00:00 86400']])
  })

  test('shares one timer with all others', () => {
    const { clock } = timerOf(Array.from({ length: 1000 }, (_, index) => 1 + (index % 100)))
    expect(clock.waiting()).toEqual([1000])
  })

  test('is not due at the moment it starts', async () => {
    const { clock, takeFired } = timerOf([900])
    await clock.advance(899_999)
    expect(takeFired()).toEqual([])
  })

  test('is still due, once, when the program was busy for a few seconds', async () => {
    const { clock, takeFired } = timerOf([1, 10], { now: NOON + 9_500 })
    clock.step(4_500)
    await clock.advance(500)
    expect(takeFired()).toEqual([['12:00:14 1', '12:00:10 10']])
  })

  test('is skipped when the program was busy for longer', async () => {
    const { clock, takeFired } = timerOf([900], { now: NOON + 899_000 })
    clock.step(5_001)
    await clock.advance(1_000)
    expect(takeFired()).toEqual([])
  })

  test('is due once even if the timer fires slightly early', async () => {
    const { clock, takeFired } = timerOf([5])
    clock.step(-1)
    await clock.advance(5_000)
    expect(takeFired()).toEqual([])
    await clock.advance(1)
    expect(takeFired()).toEqual([['12:00:05 5']])
  })
})

describe('a clock that is stepped', () => {
  test('is checked at least every 30 seconds', () => {
    expect(timerOf([900]).clock.waiting()).toEqual([30_000])
  })

  test('forward causes no burst: skipped times are left out', async () => {
    const { clock, takeFired } = timerOf([1, 60])
    clock.step(HOUR + 20_000)
    await clock.advance(2_000)
    expect(takeFired()).toEqual([['13:00:21 1'], ['13:00:22 1']])
  })

  test('forward to just before a due time does not miss it', async () => {
    const { clock, takeFired } = timerOf([900])
    clock.step(14 * MINUTE + 20_000)
    await clock.advance(40_000)
    expect(takeFired()).toEqual([['12:15:00 900']])
  })

  test('back continues from there immediately', async () => {
    const { clock, takeFired } = timerOf([10])
    await clock.advance(20_000)
    takeFired()
    clock.step(-HOUR)
    await clock.advance(20_000)
    expect(takeFired()).toEqual([['11:00:40 10']])
    await clock.advance(10_000)
    expect(takeFired()).toEqual([['11:00:50 10']])
  })

  test('back by less than it takes to notice repeats nothing', async () => {
    const { clock, takeFired } = timerOf([1])
    await clock.advance(1_000)
    clock.step(-500)
    await clock.advance(1_500)
    expect(takeFired()).toEqual([['12:00:01 1'], ['12:00:02 1']])
  })
})

describe('replaced items', () => {
  test('are due instead of the earlier ones', async () => {
    const { clock, timer, takeFired } = timerOf([2])
    timer.apply([3])
    await clock.advance(3_000)
    expect(takeFired()).toEqual([['12:00:03 3']])
  })

  test('at a due time neither miss nor repeat anything', async () => {
    const { clock, timer, takeFired } = timerOf([10])
    clock.step(10_000)
    timer.apply([10, 5])
    timer.apply([10, 5])
    expect(takeFired()).toEqual([['12:00:10 10', '12:00:10 5']])
    await clock.advance(5_000)
    expect(takeFired()).toEqual([['12:00:15 5']])
  })

  test('after a period without items start with the next due time', async () => {
    const { clock, timer, takeFired } = timerOf([])
    await clock.advance(12_000)
    timer.apply([10])
    expect(takeFired()).toEqual([])
    await clock.advance(8_000)
    expect(takeFired()).toEqual([['12:00:20 10']])
  })

  test('may be none, which leaves no timer', () => {
    const { clock, timer } = timerOf([1])
    timer.apply([])
    expect(clock.waiting()).toEqual([])
  })

  test('are never due after closing', async () => {
    const { clock, timer, takeFired } = timerOf([1])
    timer.close()
    await clock.advance(60_000)
    expect(takeFired()).toEqual([])
    expect(clock.waiting()).toEqual([])
  })
})
