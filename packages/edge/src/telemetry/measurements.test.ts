import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMeasurementStore } from '../store/measurement-store.ts'
import { createTelemetryFile } from '../store/telemetry-file.ts'
import { type PolledPoint, polledPoint, pollPoints } from '../testing/polled-points.ts'
import { startArchive } from './measurements.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const HOUR = 3_600_000

const point = (id: string, analyticsInterval: number, value: number | null = 1) =>
  polledPoint({ id, analyticsInterval }, { value })

function archiveOf(...points: PolledPoint[]) {
  return archiveAt(NOON, ...points)
}

function archiveAt(now: number, ...points: PolledPoint[]) {
  const clock = createManualClock(now)
  const log = createLog('edge', 'silent')
  const store = createMeasurementStore({
    file: createTelemetryFile({ folder: temporaryFolder(), clock, log }),
    clock,
    log,
  })
  onTestFinished(() => store.close())
  const notices: number[] = []
  const archived = () => void notices.push(clock.now() - now)
  const archive = startArchive({ live: pollPoints(points, clock), store, clock, archived })
  const measured = () => store.next(1000)?.measurements ?? []
  const held = () => measured().map((m) => `${m.datapointId} ${m.at - now} ${m.value}`)
  return { clock, archive, commissioned: points, notices, held, measured }
}

describe('the archive', () => {
  test('stores the live value at multiples of the interval, and reports it immediately', async () => {
    const power = point('power', 2)
    const { clock, held, notices } = archiveOf(power, point('energy', 3, 7))
    await clock.advance(3_000)
    power.value = 5
    await clock.advance(1_000)
    expect(held()).toEqual(['power 2000 1', 'energy 3000 7', 'power 4000 5'])
    expect(notices).toEqual([2000, 3000, 4000])
  })

  test('stores everything due at the same time together', async () => {
    const { clock, held, notices } = archiveOf(point('a', 10), point('b', 5), point('c', 10))
    await clock.advance(10_000)
    expect(held()).toEqual(['b 5000 1', 'a 10000 1', 'c 10000 1', 'b 10000 1'])
    expect(notices).toEqual([5000, 10000])
  })

  test('skips datapoints that are not archived', async () => {
    const { clock, held, notices } = archiveOf(point('a', 0))
    await clock.advance(HOUR)
    expect(held()).toEqual([])
    expect(notices).toEqual([])
  })

  test('stores 0, and nothing without a value', async () => {
    const broken = point('broken', 1, null)
    const { clock, held } = archiveOf(broken, point('zero', 1, 0), point('odd', 1, Number.NaN))
    await clock.advance(1_000)
    expect(held()).toEqual(['zero 1000 0'])
    broken.value = 3
    await clock.advance(1_000)
    expect(held()).toContain('broken 2000 3')
  })

  test('does not store a last known value', async () => {
    const lost = point('lost', 1)
    lost.live = false
    const { clock, held, notices } = archiveOf(lost)
    await clock.advance(3_000)
    expect(held()).toEqual([])
    expect(notices).toEqual([])
    lost.live = true
    await clock.advance(1_000)
    expect(held()).toEqual(['lost 4000 1'])
  })

  test('stores a time once that repeats after the clock is set back', async () => {
    const { clock, held } = archiveOf(point('a', 10))
    await clock.advance(30_000)
    clock.step(-20_000)
    await clock.advance(40_000)
    expect(held()).toEqual([10, 20, 30, 40, 50].map((second) => `a ${second * 1000} 1`))
  })

  test('does not catch up after the clock is set forward', async () => {
    const { clock, held } = archiveOf(point('a', 10))
    clock.step(HOUR)
    await clock.advance(20_000)
    expect(held()).toEqual([`a ${HOUR + 10_000} 1`, `a ${HOUR + 20_000} 1`])
  })

  test('follows commissioning', async () => {
    const { clock, archive, commissioned, held } = archiveOf(point('old', 1))
    commissioned.splice(0, 1, point('new', 2, 8))
    archive.apply()
    await clock.advance(2_000)
    expect(held()).toEqual(['new 2000 8'])
  })

  test('stops when it is closed', async () => {
    const { clock, archive, held } = archiveOf(point('a', 1))
    archive.close()
    await clock.advance(60_000)
    expect(held()).toEqual([])
    expect(clock.waiting()).toEqual([])
  })
})

describe('an archived interval', () => {
  const QUARTER = 900_000

  test('has the mean over time, the extremes and the last value of all readings', async () => {
    const power = point('power', 900, 10)
    const { clock, measured } = archiveOf(power)
    await clock.advance(300_250)
    power.value = 40
    await clock.advance(1_000)
    power.value = 4
    await clock.advance(QUARTER)
    const seen = { value: 4, seconds: 900, mean: 6.04, min: 4, max: 40, coverage: 100 }
    expect(measured()).toEqual([{ datapointId: 'power', at: NOON + QUARTER, ...seen }])
  })

  test('covers only what was seen: after a start, and while a link is lost', async () => {
    const power = point('power', 900, 10)
    const { clock, measured } = archiveAt(NOON + 450_000, power)
    await clock.advance(450_000)
    await clock.advance(225_000)
    power.live = false
    await clock.advance(675_000)
    await clock.advance(QUARTER)
    expect(measured().map(({ at, value, coverage }) => [at - NOON, value, coverage])).toEqual([
      [QUARTER, 10, 50],
      [2 * QUARTER, 10, 25],
    ])
  })

  test('keeps what was seen of it when the controller is commissioned again', async () => {
    const { clock, archive, measured } = archiveOf(point('power', 900))
    await clock.advance(450_000)
    archive.apply()
    await clock.advance(450_000)
    expect(measured()).toMatchObject([{ coverage: 100 }])
  })

  test('ends late with what was seen when the program stood still', async () => {
    const { clock, measured } = archiveOf(point('power', 900))
    await clock.advance(890_000)
    clock.step(60_000)
    await clock.advance(10_000)
    expect(measured()).toMatchObject([{ at: NOON + QUARTER, coverage: 100 }])
  })

  test('is aligned to the clock of the site, also where that differs by half an hour', async () => {
    const point = polledPoint({ id: 'power', analyticsInterval: 3600 }, { timeZone: 'Asia/Kolkata' })
    const { clock, measured } = archiveOf(point)
    await clock.advance(2 * HOUR)
    expect(measured().map(({ at, coverage }) => [at - NOON, coverage])).toEqual([
      [HOUR / 2, 50],
      [1.5 * HOUR, 100],
    ])
  })

  test.each([
    ['23', Date.UTC(2030, 2, 30, 22), 23],
    ['25', Date.UTC(2030, 9, 26, 21), 25],
  ])('of a day has %s hours when the clock changes', async (_, midnight, hours) => {
    const point = polledPoint({ id: 'power', analyticsInterval: 86_400 }, { timeZone: 'Europe/Tallinn' })
    const { clock, measured } = archiveAt(midnight, point)
    await clock.advance(26 * HOUR)
    const [day, ...more] = measured()
    expect(more).toEqual([])
    expect(day).toMatchObject({ at: midnight + hours * HOUR, seconds: hours * 3600, coverage: 100 })
  })

  test('has the energy of a power for the covered time, and the difference of a counter', async () => {
    const meters = [
      polledPoint(
        { id: 'power', analyticsInterval: 900 },
        { value: 4000, consumption: { from: 'power', factor: 0.001 } },
      ),
      polledPoint(
        { id: 'counter', analyticsInterval: 900, data: { type: 'uint16' } },
        { value: 65_530, consumption: { from: 'counter', factor: 1 } },
      ),
      polledPoint({ id: 'other', analyticsInterval: 900 }),
    ] as const
    const { clock, measured } = archiveOf(...meters)
    await clock.advance(450_250)
    meters[1].value = 4
    await clock.advance(450_000)
    expect(measured().map(({ energyKwh }) => energyKwh)).toEqual([1, 10, undefined])
    meters[0].live = false
    await clock.advance(QUARTER)
    expect(measured().slice(3)).toMatchObject([
      { datapointId: 'power', coverage: 1, energyKwh: expect.closeTo(0.0005, 3) },
      { datapointId: 'counter', energyKwh: 0 },
      { datapointId: 'other' },
    ])
  })

  test('starts afresh when the clock was far ahead', async () => {
    const { clock, measured } = archiveOf(point('power', 10))
    clock.step(1000 * HOUR)
    await clock.advance(60_000)
    clock.step(-1000 * HOUR)
    await clock.advance(60_000)
    const times = measured().map(({ at }) => at - NOON)
    expect(times.filter((at) => at < HOUR)).toEqual([90_000, 100_000, 110_000, 120_000])
  })
})
