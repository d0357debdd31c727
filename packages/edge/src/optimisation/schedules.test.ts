import { createLog } from '@plantroom/base/log'
import { type Schedule, type ScheduleSlot, type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import type { Claims } from '../writing/hold.ts'
import { startSchedules } from './schedules.ts'
import { createMemorySink } from './testing/memory-claims.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DEVIATION: Claims = { deviation: { by: 'deviation', want: { value: 5 } } }

function schedule(datapointId: string, ...slots: Partial<ScheduleSlot>[]): Schedule {
  const whole = { days: WEEKDAYS, from: '00:00', to: '24:00', mode: 'absolute', value: 1 } as const
  return {
    id: `sch_${datapointId}`,
    name: datapointId,
    datapointId,
    slots: slots.map((slot) => ({ ...whole, ...slot })),
  }
}

function site(schedules: readonly Schedule[] | undefined, timeZone?: string): TechnicalSystem {
  const datapoints = ['a', 'b', 'c'].map((id) => aDatapoint({ id, accessType: 'READ_WRITE' }))
  const system = aSystem('ts', [aConnection({ datapoints })])
  return { ...system, ...(schedules && { schedules }), ...(timeZone && { timeZone }) }
}

function started(system: TechnicalSystem, at: string, restored: Record<string, Claims> = {}) {
  const clock = createManualClock(Date.parse(at))
  const sink = createMemorySink(restored)
  const said: { msg: string; timeZone: string }[] = []
  const log = createLog('edge', 'info', { write: (line) => void said.push(JSON.parse(line)) })
  const schedules = startSchedules({ system, sink, clock, log })
  const wanted = (id: string) => sink.wanted(id, 'deviation')
  return { clock, sink, said, schedules, wanted }
}

const office = schedule('a', { from: '08:00', to: '17:00', value: 21 })

describe('a schedule', () => {
  test('is followed from the start of the process', () => {
    expect(started(site([office]), '2025-01-08T09:00:00Z').wanted('a')).toEqual({ value: 21 })
    expect(started(site([office]), '2025-01-08T18:00:00Z').wanted('a')).toBeUndefined()
  })

  test('is followed to the minute', async () => {
    const { clock, wanted } = started(site([office]), '2025-01-08T07:58:13.500Z')
    await clock.advance(106 * SECOND)
    expect(wanted('a')).toBeUndefined()
    await clock.advance(SECOND / 2)
    expect(wanted('a')).toEqual({ value: 21 })
    await clock.advance(9 * HOUR - 1)
    expect(wanted('a')).toEqual({ value: 21 })
    await clock.advance(1)
    expect(wanted('a')).toBeUndefined()
  })

  test('is in the local time of the site, or in UTC by default', () => {
    expect(started(site([office], 'Europe/Tallinn'), '2025-01-08T06:30:00Z').wanted('a')).toEqual({ value: 21 })
    expect(started(site([office]), '2025-01-08T06:30:00Z').wanted('a')).toBeUndefined()
  })

  test('may claim an offset, and change from one slot to the next without a gap', async () => {
    const slots = [
      { to: '12:00', value: 20 },
      { from: '12:00', mode: 'offset', value: -2 },
    ] as const
    const { clock, sink } = started(site([schedule('a', ...slots)]), '2025-01-08T11:59:00Z')
    await clock.advance(2 * MINUTE)
    expect(sink.changes.map(({ want }) => want)).toEqual([{ value: 20 }, { offset: -2 }])
  })

  test('repeats a claim that was lost', async () => {
    const { clock, sink, wanted } = started(site([office]), '2025-01-08T09:00:00Z')
    sink.claim('a', 'deviation', undefined)
    await clock.advance(MINUTE)
    expect(wanted('a')).toEqual({ value: 21 })
  })

  test.each([
    ['forward', 2 * HOUR, undefined, { value: 21 }],
    ['back', -20 * HOUR, undefined, { value: 21 }],
  ])('notices within 30 s that the clock was set %s', async (_how, ms, before, after) => {
    const { clock, wanted } = started(site([office]), '2025-01-08T07:00:01Z')
    clock.step(ms)
    expect(wanted('a')).toEqual(before)
    await clock.advance(30 * SECOND)
    expect(wanted('a')).toEqual(after)
  })

  test('in an unknown time zone is not followed, which is logged once', async () => {
    const { clock, sink, said } = started(site([office], 'Mars/Olympus'), '2025-01-08T09:00:00Z', { a: DEVIATION })
    await clock.advance(5 * MINUTE)
    expect(sink.changes).toEqual([{ datapointId: 'a', by: 'deviation', want: undefined }])
    expect(said).toMatchObject([
      { msg: "the site's time zone is unknown, so no schedule is followed; correct it", timeZone: 'Mars/Olympus' },
    ])
  })
})

describe('several schedules', () => {
  test('share one timer', () => {
    const { clock, wanted } = started(
      site([office, schedule('b', { value: 3 }, { value: 4 }), schedule('c', { days: [] })]),
      '2025-01-08T09:00:00Z',
    )
    expect(['a', 'b', 'c'].map(wanted)).toEqual([{ value: 21 }, { value: 4 }, undefined])
    expect(clock.waiting()).toHaveLength(1)
  })

  test('on one datapoint form one list: the last active one wins, then the earlier one resumes', async () => {
    const noon = schedule('a', { from: '12:00', to: '13:00', value: 18 })
    const { clock, sink } = started(site([office, noon]), '2025-01-08T11:59:00Z')
    await clock.advance(2 * HOUR)
    expect(sink.changes.map(({ want }) => want)).toEqual([{ value: 21 }, { value: 18 }, { value: 21 }])
  })

  test('need no timer when there are none', () => {
    for (const none of [[], undefined]) {
      const { clock, sink } = started(site(none), '2025-01-08T09:00:00Z')
      expect(clock.waiting()).toEqual([])
      expect(sink.changes).toEqual([])
    }
  })
})

describe('after a restart', () => {
  test('the claim of an active slot continues without a break', () => {
    const always = schedule('a', { value: 5 })
    expect(started(site([always]), '2025-01-08T09:00:00Z', { a: DEVIATION }).sink.changes).toEqual([])
  })

  test('the claim of a slot that ended meanwhile is withdrawn', () => {
    expect(started(site([office]), '2025-01-08T18:00:00Z', { a: DEVIATION }).wanted('a')).toBeUndefined()
  })

  test('claims that no schedule makes any more are withdrawn', () => {
    const { wanted } = started(site([office]), '2025-01-08T09:00:00Z', { b: DEVIATION })
    expect(['a', 'b'].map(wanted)).toEqual([{ value: 21 }, undefined])
  })
})

describe('after commissioning', () => {
  test('changes apply immediately, removed schedules are released, and the rest is unaffected', () => {
    const { sink, schedules, wanted } = started(
      site([office, schedule('b', { value: 3 }), schedule('c', { value: 4 })]),
      '2025-01-08T09:00:00Z',
    )
    const before = sink.changes.length
    schedules.replace(site([office, schedule('c', { value: 6 })]))
    expect(['a', 'b', 'c'].map(wanted)).toEqual([{ value: 21 }, undefined, { value: 6 }])
    expect(sink.changes.slice(before).map(({ datapointId }) => datapointId)).toEqual(['b', 'c'])
  })

  test('the schedules follow a new time zone', () => {
    const { schedules, wanted } = started(site([office]), '2025-01-08T06:30:00Z')
    schedules.replace(site([office], 'Europe/Tallinn'))
    expect(wanted('a')).toEqual({ value: 21 })
  })

  test('many times, one timer remains', () => {
    const { clock, schedules } = started(site([office]), '2025-01-08T09:00:00Z')
    for (let times = 0; times < 5; times += 1) schedules.replace(site([office]))
    expect(clock.waiting()).toHaveLength(1)
    schedules.replace(site([]))
    expect(clock.waiting()).toEqual([])
  })
})

describe('closing the schedules', () => {
  test('leaves no timer and keeps every claim', async () => {
    const { clock, schedules, wanted } = started(site([office]), '2025-01-08T16:59:00Z')
    schedules.close()
    schedules.close()
    expect(clock.waiting()).toEqual([])
    await clock.advance(HOUR)
    expect(wanted('a')).toEqual({ value: 21 })
  })
})
