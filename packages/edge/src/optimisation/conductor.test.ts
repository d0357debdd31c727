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
  const said: { msg: string; reason?: string; datapointId?: string }[] = []
  const log = createLog('edge', 'info', { write: (line) => void said.push(JSON.parse(line)) })
  const conductor = startConductor({ system, sink, meter, clock, log })
  const shed = () => ['a', 'b', 'c'].filter((id) => sink.wanted(id, 'peak-shaving'))
  return { clock, sink, meter, said, conductor, shed }
}

describe('the conductor', () => {
  test('looks at its meter every cycle, and states a claim for each load that it sheds', async () => {
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

  test('passes over what demand response holds, and goes on with it afterwards', async () => {
    const { clock, sink, shed } = started(site({}))
    sink.dispatch('a', 7)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['b'])
    sink.dispatch('a', undefined)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a', 'b'])
  })

  test('keeps its claim on a load that demand response takes away from it', async () => {
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

  test('goes by the limit of the hour at the site', async () => {
    const limitKw = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 100 : 1000))
    const start = Date.parse('2025-01-08T06:59:45Z')
    const { clock, shed } = started(site({ limitKw }, 'Europe/Tallinn'), {}, start)
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
  })

  test('counts its times by what has passed, not by a clock that is set', async () => {
    const { clock, shed } = started(site({ loads: [load('a', { minOnSeconds: 30 })] }))
    clock.step(3_600_000)
    await clock.advance(2 * CYCLE)
    expect(shed()).toEqual([])
    clock.step(-7_200_000)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
  })

  test('states again what was lost on the way', async () => {
    const { clock, sink, shed } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    sink.claim('a', 'peak-shaving', undefined)
    await clock.advance(CYCLE)
    expect(shed()).toEqual(['a'])
  })

  test('of a system without peak shaving does nothing at all', async () => {
    const { clock, sink, meter } = started(site(null))
    expect(clock.waiting()).toEqual([])
    await clock.advance(CYCLE)
    expect([meter.asked, sink.changes]).toEqual([[], []])
  })

  test.each([0, -5])('leaves time for others when its cycle is said to be %d s', async (cycleSeconds) => {
    expect(started(site({ cycleSeconds })).clock.waiting()).toEqual([1000])
  })
})

describe('what the conductor says', () => {
  test('is one line for each load that it sheds or recovers', async () => {
    const { clock, meter, said } = started(site({ loads: [load('a')] }))
    await clock.advance(3 * CYCLE)
    meter.shows = { value: 50, ageMs: 0 }
    await clock.advance(3 * CYCLE)
    expect(said).toMatchObject([
      { msg: 'load shed', technicalSystem: 'ts', datapointId: 'a', meterKw: 150, limitKw: 100 },
      { msg: 'load recovered', technicalSystem: 'ts', datapointId: 'a', meterKw: 50, limitKw: 100 },
    ])
  })

  test('is one line when it begins to stand idle, and why, and one when it works again', async () => {
    const { clock, meter, said } = started(site({ loads: [] }))
    meter.shows = undefined
    await clock.advance(10 * CYCLE)
    meter.shows = { value: 95, ageMs: 0 }
    await clock.advance(10 * CYCLE)
    expect(said).toMatchObject([
      { msg: 'peak shaving is paused', reason: 'the meter cannot be read' },
      { msg: 'peak shaving has resumed' },
    ])
  })

  test('is another line when it stands idle for another reason', async () => {
    const { clock, conductor, meter, said } = started(site({ limitKw: null }))
    await clock.advance(2 * CYCLE)
    conductor.replace(site({}))
    meter.shows = { value: 150, ageMs: 100_000 }
    await clock.advance(2 * CYCLE)
    expect(said.map(({ reason }) => reason)).toEqual(['no limit is known', 'the meter reading is too old'])
  })

  test('tells a zone that nobody knows as hours whose limit is not known', async () => {
    const { clock, sink, said } = started(site({ limitKw: Array(24).fill(1) }, 'Mars/Olympus'))
    await clock.advance(CYCLE)
    expect(said).toMatchObject([{ reason: 'no limit is known' }])
    expect(sink.changes).toEqual([])
  })
})

describe('after a restart', () => {
  test('loads whose claims stand are shed, with their times counting from the start', async () => {
    const system = site({ loads: [load('a', { minOffSeconds: 25 }), load('b')] })
    const { clock, sink, meter, shed } = started(system, { a: SHED })
    meter.shows = { value: 50, ageMs: 0 }
    expect(sink.changes).toEqual([])
    await clock.advance(2 * CYCLE)
    expect(shed()).toEqual(['a'])
    await clock.advance(CYCLE)
    expect(shed()).toEqual([])
  })

  test('a claim that no load stands for is withdrawn, for the process may have died before it was', () => {
    const { sink, shed } = started(site({ loads: [load('b')] }), { a: SHED, b: SHED })
    expect(shed()).toEqual(['b'])
    expect(sink.changes).toEqual([{ datapointId: 'a', by: 'peak-shaving', want: undefined }])
  })

  test('so are all where there is no peak shaving any more', () => {
    expect(started(site(null), { a: SHED, b: SHED }).shed()).toEqual([])
  })

  test('of others’ claims none is touched', () => {
    const deviation: Claims = { deviation: { by: 'deviation', want: { offset: 1 } } }
    const { sink } = started(site(null), { a: deviation })
    expect(sink.claims('a')).toEqual(deviation)
    expect(sink.changes).toEqual([])
  })
})

describe('commissioned anew, the conductor', () => {
  test('lets go of loads that are gone, and keeps the state of the others', async () => {
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

  test('lets go of a load whose datapoint is gone from the system with it', async () => {
    const { clock, conductor, shed } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    conductor.replace({ ...site(null), connections: [] })
    expect(shed()).toEqual([])
  })

  test('holds a shed load at its new value at once', async () => {
    const { clock, conductor, sink } = started(site({ loads: [load('a')] }))
    await clock.advance(CYCLE)
    conductor.replace(site({ loads: [load('a', { shedValue: 4 })] }))
    expect(sink.wanted('a', 'peak-shaving')).toEqual({ value: 4 })
  })

  test('ever so often, does not miss a cycle by it', async () => {
    const { clock, conductor, shed } = started(site({ limitKw: 1000 }))
    for (let kw = 0; kw < 5; kw += 1) {
      conductor.replace(site({ limitKw: 100 + kw }))
      await clock.advance(CYCLE / 4)
    }
    expect(shed()).toEqual(['a'])
    expect(clock.waiting()).toHaveLength(1)
  })

  test('without peak shaving lets go of everything and leaves no timer', async () => {
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
  test('leaves no timer and every claim as it is: the next process goes on from them', async () => {
    const { clock, conductor, shed } = started(site({}))
    await clock.advance(CYCLE)
    conductor.close()
    conductor.close()
    expect(clock.waiting()).toEqual([])
    await clock.advance(5 * CYCLE)
    expect(shed()).toEqual(['a'])
  })
})
