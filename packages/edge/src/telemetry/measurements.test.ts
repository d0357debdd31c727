import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMeasurementStore } from '../store/measurement-store.ts'
import { createTelemetryFile } from '../store/telemetry-file.ts'
import type { LiveDatapoint } from './live-reader.ts'
import { startArchive } from './measurements.ts'

const NOON = Date.UTC(2030, 0, 1, 12)
const HOUR = 3_600_000

function point(id: string, analyticsInterval: number, value: number | null = 1) {
  const datapoint = aDatapoint({ id, analyticsInterval })
  return { datapoint, value, live: true, current: () => ({ value: null as number | null, timestamp: '' }) }
}

function archiveOf(...points: ReturnType<typeof point>[]) {
  for (const each of points) each.current = () => ({ value: each.value, timestamp: '2030-01-01T12:00:00.000Z' })
  const clock = createManualClock(NOON)
  const log = createLog('edge', 'silent')
  const store = createMeasurementStore({
    file: createTelemetryFile({ folder: temporaryFolder(), clock, log }),
    clock,
    log,
  })
  onTestFinished(() => store.close())
  const commissioned: LiveDatapoint[] = points
  const notices: number[] = []
  const archive = startArchive({
    live: { datapoints: () => commissioned },
    store,
    clock,
    archived: () => void notices.push(clock.now() - NOON),
  })
  const held = () => (store.next(1000)?.measurements ?? []).map((m) => `${m.datapointId} ${m.at - NOON} ${m.value}`)
  return { clock, archive, commissioned, notices, held }
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
    const { clock, held, notices } = archiveOf(lost)
    lost.live = false
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
    const added = point('new', 2)
    added.current = () => ({ value: 8, timestamp: '' })
    commissioned.splice(0, 1, added)
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

test('a wake reads only the datapoints that are due', async () => {
  const looks: string[] = []
  const counted = (id: string, seconds: number): LiveDatapoint => ({
    datapoint: aDatapoint({ id, analyticsInterval: seconds }),
    live: true,
    current() {
      looks.push(id)
      return { value: 1, timestamp: '' }
    },
  })
  const clock = createManualClock(NOON)
  const slow = Array.from({ length: 1000 }, (_, index) => counted(`slow_${index}`, 900))
  startArchive({
    live: { datapoints: () => [counted('fast', 1), ...slow] },
    store: { add: () => {} },
    clock,
    archived: () => {},
  })
  await clock.advance(3_000)
  expect(looks).toEqual(['fast', 'fast', 'fast'])
})
