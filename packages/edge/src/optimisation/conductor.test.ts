import { createLog } from '@plantroom/base/log'
import type { PeakShaving, PeakShavingLoad, TechnicalSystem } from '@plantroom/contract/datapoint'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import type { Claims } from '../writing/hold.ts'
import { startConductor } from './conductor.ts'
import { createMemoryMeter, createMemorySink } from './testing/memory-claims.ts'

const CYCLE = 10_000
const SHED: Claims = { 'peak-shaving': { by: 'peak-shaving', want: { value: 0 } } }

function load(datapointId: string, about: Partial<PeakShavingLoad> = {}): PeakShavingLoad {
  return { datapointId, priority: 1, shedValue: 0, minOnSeconds: 0, minOffSeconds: 0, ...about }
}

function site(about: Partial<PeakShaving> | null, timeZone?: string): TechnicalSystem {
  const datapoints = ['a', 'b', 'c'].map((id) => aDatapoint({ id, accessType: 'READ_WRITE' }))
  const peakShaving = about && {
    meterId: 'grid',
    limitKw: 100,
    hysteresisKw: 10,
    cycleSeconds: 10,
    loads: [load('a'), load('b', { priority: 2 })],
    ...about,
  }
  return { ...aSystem('ts', [aConnection({ datapoints })]), peakShaving, ...(timeZone && { timeZone }) }
}

function started(system: TechnicalSystem, restored: Record<string, Claims> = {}, start = Date.UTC(2025, 0, 8)) {
  const clock = createManualClock(start)
  const sink = createMemorySink(restored)
  const meter = createMemoryMeter({ value: 150, ageMs: 0 })
  const logged: { msg: string; reason?: string; datapointId?: string }[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line)) })
  const conductor = startConductor({ system, sink, meter, clock, log })
  const shed = () => ['a', 'b', 'c'].filter((id) => sink.wanted(id, 'peak-shaving'))
  return { clock, sink, meter, logged, conductor, shed }
}

describe('the conductor', () => {
  test('reads its meter every cycle and claims each load that it sheds', async () => {
    const { clock, sink, meter, shed } = started(site({ loads: [load('a', { shedValue: 3 }), load('b')] }))
    expect(sink.changes).toEqual([])
    await clock.advance(CYCLE - 1)
    expect(meter.asked).toEqual([])
    await clock.advance(1)
    expect(meter.asked).toEqual(['grid'])
    expect(sink.changes).toEqual([{ datapointId: 'a', by: 'peak-shaving', want: { value: 3 } }])
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a', 'b'])
  })

  test('withdraws the claim of each load that it recovers', async () => {
    const { clock, sink, meter, shed } = started(site({}))
    await clock.advance(2 * CYCLE)
    meter.shows = { value: 50, ageMs: 0 }
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
    expect(sink.changes).toHaveLength(4)
  })

  test('skips loads held by demand response, and handles them afterwards', async () => {
    const { clock, sink, shed } = started(site({}))
    sink.dispatch('a', 7)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['b'])
    sink.dispatch('a', undefined)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a', 'b'])
  })

  test('keeps its claim on a load that demand response takes over', async () => {
    const { clock, sink, meter, shed } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    sink.dispatch('a', 7)
    meter.shows = { value: 50, ageMs: 0 }
    await clock.advance(5 * CYCLE)
    expect(shed()).toEqual(['a'])
    sink.dispatch('a', undefined)
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
  })

  test('uses the limit of the local hour at the site', async () => {
    const limitKw = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 100 : 1000))
    const start = Date.parse('2025-01-08T06:59:45Z')
    const { clock, shed } = started(site({ limitKw }, 'Europe/Tallinn'), {}, start)
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
  })

  test('follows the limit of an hour that comes twice for two hours', async () => {
    const limitKw = Array.from({ length: 24 }, (_, hour) => (hour === 3 ? 100 : 1000))
    // 02:59:50 in summer time. The hour from 03:00 comes twice.
    const before = Date.parse('2025-10-25T23:59:50Z')
    const { clock, sink, meter, shed } = started(site({ limitKw }, 'Europe/Tallinn'), {}, before)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a', 'b'])
    meter.shows = { value: 149, ageMs: 0 }
    await clock.advance(2 * 3_600_000 - 3 * CYCLE)
    expect(shed()).toEqual(['a', 'b'])
    await clock.advance(3 * CYCLE)
    expect(shed()).toEqual([])
    expect(sink.changes).toHaveLength(4)
  })

  test('measures its times with the monotonic clock', async () => {
    const { clock, shed } = started(site({ loads: [load('a', { minOnSeconds: 30 })] }))
    clock.step(3_600_000)
    await clock.advance(2 * CYCLE)
    expect(shed()).toEqual([])
    clock.step(-7_200_000)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
  })

  test('repeats a claim that was lost', async () => {
    const { clock, sink, shed } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    sink.claim('a', 'peak-shaving', undefined)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
  })

  test('does nothing for a system without peak shaving', async () => {
    const { clock, sink, meter } = started(site(null))
    expect(clock.waiting()).toEqual([])
    await clock.advance(CYCLE)
    expect([meter.asked, sink.changes]).toEqual([[], []])
  })

  test.each([0, -5])('does not spin when its cycle is %d s', async (cycleSeconds) => {
    expect(started(site({ cycleSeconds })).clock.waiting()).toEqual([1000])
  })
})

describe('the log of the conductor', () => {
  test('has one line for each load that is shed or recovered', async () => {
    const { clock, meter, logged } = started(site({ loads: [load('a')] }))
    await clock.advance(3 * CYCLE)
    meter.shows = { value: 50, ageMs: 0 }
    await clock.advance(3 * CYCLE)
    expect(logged).toMatchObject([
      { msg: 'load shed', technicalSystem: 'ts', datapointId: 'a', meterKw: 150, limitKw: 100 },
      { msg: 'load recovered', technicalSystem: 'ts', datapointId: 'a', meterKw: 50, limitKw: 100 },
    ])
  })

  test('has one line with the reason when it pauses and one when it resumes', async () => {
    const { clock, meter, logged } = started(site({ loads: [] }))
    meter.shows = undefined
    await clock.advance(10 * CYCLE)
    meter.shows = { value: 95, ageMs: 0 }
    await clock.advance(10 * CYCLE)
    expect(logged).toMatchObject([
      { msg: 'peak shaving is paused', reason: 'the meter cannot be read' },
      { msg: 'peak shaving has resumed' },
    ])
  })

  test('says that a frozen meter does not follow the loads: what is shed stays shed, and nothing else is', async () => {
    const { clock, meter, logged, shed } = started(site({ loads: [load('a'), load('b', { minOnSeconds: 300 })] }))
    await clock.advance(3_600_000)
    expect(shed()).toEqual(['a'])
    expect(logged.at(-1)).toMatchObject({ reason: 'the meter does not follow the loads' })
    meter.shows = { value: 151, ageMs: 0 }
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a', 'b'])
  })

  test('says once that the meter is lost for an hour', async () => {
    const { clock, meter, logged, shed } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    meter.shows = undefined
    await clock.advance(3_600_000)
    expect(shed()).toEqual(['a'])
    meter.shows = { value: 50, ageMs: 0 }
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
    expect(logged.map(({ msg }) => msg)).toEqual([
      'load shed',
      'peak shaving is paused',
      'peak shaving has resumed',
      'load recovered',
    ])
  })

  test('has another line when it pauses for another reason', async () => {
    const { clock, conductor, meter, logged } = started(site({ limitKw: null }))
    await clock.advance(2 * CYCLE)
    conductor.replace(site({}))
    meter.shows = { value: 150, ageMs: 100_000 }
    await clock.advance(2 * CYCLE)
    expect(logged.map(({ reason }) => reason)).toEqual(['no limit is known', 'the meter reading is too old'])
  })

  test('reports an unknown limit for an unknown time zone', async () => {
    const { clock, sink, logged } = started(site({ limitKw: Array(24).fill(1) }, 'Mars/Olympus'))
    await clock.advance(CYCLE)
    expect(logged).toMatchObject([{ reason: 'no limit is known' }])
    expect(sink.changes).toEqual([])
  })
})

describe('after a restart', () => {
  test('claimed loads count as shed, with their times counting from the start', async () => {
    const system = site({ loads: [load('a', { minOffSeconds: 25 }), load('b')] })
    const { clock, sink, meter, shed } = started(system, { a: SHED })
    meter.shows = { value: 50, ageMs: 0 }
    expect(sink.changes).toEqual([])
    await clock.advance(2 * CYCLE)
    expect(shed()).toEqual(['a'])
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
  })

  test('a claim without a load is withdrawn, because the process may have died before doing so', () => {
    const { sink, shed } = started(site({ loads: [load('b')] }), { a: SHED, b: SHED })
    expect(shed()).toEqual(['b'])
    expect(sink.changes).toEqual([{ datapointId: 'a', by: 'peak-shaving', want: undefined }])
  })

  test('all claims are withdrawn when peak shaving was removed', () => {
    expect(started(site(null), { a: SHED, b: SHED }).shed()).toEqual([])
  })

  test('the claims of other writers stay', () => {
    const deviation: Claims = { deviation: { by: 'deviation', want: { offset: 1 } } }
    const { sink } = started(site(null), { a: deviation })
    expect(sink.claims('a')).toEqual(deviation)
    expect(sink.changes).toEqual([])
  })
})

describe('after commissioning, the conductor', () => {
  test('releases removed loads and keeps the state of the others', async () => {
    const { clock, conductor, meter, shed } = started(site({}))
    await clock.advance(2 * CYCLE)
    conductor.replace(site({ loads: [load('b', { minOffSeconds: 15 }), load('c')] }))
    expect(shed()).toEqual(['b'])
    meter.shows = { value: 50, ageMs: 0 }
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['b'])
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
  })

  test('releases a load whose datapoint was removed', async () => {
    const { clock, conductor, shed } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    conductor.replace({ ...site(null), connections: [] })
    expect(shed()).toEqual([])
  })

  test('holds a shed load at its new value immediately', async () => {
    const { clock, conductor, sink } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    conductor.replace(site({ loads: [load('a', { shedValue: 4 })] }))
    expect(sink.wanted('a', 'peak-shaving')).toEqual({ value: 4 })
  })

  test('does not miss a cycle, however often it is commissioned', async () => {
    const { clock, conductor, shed } = started(site({ limitKw: 1000 }))
    for (let kw = 0; kw < 5; kw += 1) {
      conductor.replace(site({ limitKw: 100 + kw }))
      await clock.advance(CYCLE / 4)
    }
    expect(shed()).toEqual(['a'])
    expect(clock.waiting()).toHaveLength(1)
  })

  test('releases everything and leaves no timer when peak shaving is removed', async () => {
    const { clock, conductor, shed } = started(site({}))
    await clock.advance(2 * CYCLE)
    conductor.replace(site(null))
    expect(shed()).toEqual([])
    expect(clock.waiting()).toEqual([])
    conductor.replace(site({}))
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
  })
})

describe('closing the conductor', () => {
  test('leaves no timer, and every claim for the next process', async () => {
    const { clock, conductor, shed } = started(site({}))
    await clock.advance(CYCLE)
    conductor.close()
    conductor.close()
    expect(clock.waiting()).toEqual([])
    await clock.advance(5 * CYCLE)
    expect(shed()).toEqual(['a'])
  })
})
