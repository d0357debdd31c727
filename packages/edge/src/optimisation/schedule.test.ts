import { type Schedule, type ScheduleSlot, WEEKDAYS } from '@plantroom/contract/datapoint'
import { siteTimeAt } from '@plantroom/contract/site-time'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextCheck, slotsOf, wantAt } from './schedule.ts'

const TALLINN = 'Europe/Tallinn'
const MINUTE = 60_000

function slot(about: Partial<ScheduleSlot>): ScheduleSlot {
  return { days: WEEKDAYS, from: '00:00', to: '24:00', mode: 'absolute', value: 1, ...about }
}

function schedule(...slots: Partial<ScheduleSlot>[]): Schedule {
  return { id: 'sch', name: 'Heating', datapointId: 'setpoint', slots: slots.map(slot) }
}

function wantedAt(of: Schedule, moment: string, timeZone = 'UTC') {
  const at = siteTimeAt(timeZone, Date.parse(moment))
  return at && wantAt(slotsOf(of), at)
}

/** Returns when a schedule is active during a night in Tallinn, as UTC times `HH:MM-HH:MM`. */
function activeIn(date: string, of: Schedule): string[] {
  const start = Date.parse(`${date}T00:00:00Z`) - 6 * 3_600_000
  const slots = slotsOf(of)
  const time = (minute: number) => new Date(start + minute * MINUTE).toISOString().slice(11, 16)
  const spans: string[] = []
  let since: number | undefined
  for (let minute = 0; minute <= 12 * 60; minute += 1) {
    const at = siteTimeAt(TALLINN, start + minute * MINUTE)
    const active = at !== undefined && wantAt(slots, at) !== undefined
    if (active) since ??= minute
    else if (since !== undefined) {
      spans.push(`${time(since)}-${time(minute)}`)
      since = undefined
    }
  }
  return spans
}

describe('a slot', () => {
  const morning = schedule({ from: '06:00', to: '09:30', value: 21 })

  test.each([
    ['05:59:59.999', undefined],
    ['06:00:00', { value: 21 }],
    ['09:29:59.999', { value: 21 }],
    ['09:30:00', undefined],
  ])('is active from its start to just before its end: %s', (time, want) => {
    expect(wantedAt(morning, `2025-01-08T${time}Z`)).toEqual(want)
  })

  test('is active on its days only', () => {
    const weekend = schedule({ days: ['sat', 'sun'] })
    const days = ['06', '07', '08', '09', '10', '11', '12'].map((day) => wantedAt(weekend, `2025-01-${day}T12:00:00Z`))
    expect(days.map(Boolean)).toEqual([false, false, false, false, false, true, true])
  })

  test('is in the local time of the site', () => {
    expect(wantedAt(morning, '2025-01-08T04:00:00Z', TALLINN)).toEqual({ value: 21 })
    expect(wantedAt(morning, '2025-01-08T08:00:00Z', TALLINN)).toBeUndefined()
    expect(wantedAt(morning, '2025-07-08T03:00:00Z', TALLINN)).toEqual({ value: 21 })
  })

  test('may add to the plain value instead of replacing it', () => {
    expect(wantedAt(schedule({ mode: 'offset', value: -2 }), '2025-01-08T12:00:00Z')).toEqual({ offset: -2 })
    expect(wantedAt(schedule({ mode: 'absolute', value: 0 }), '2025-01-08T12:00:00Z')).toEqual({ value: 0 })
  })

  test('to 24:00 lasts to the end of its day', () => {
    const evening = schedule({ days: ['wed'], from: '22:00', to: '24:00' })
    expect(wantedAt(evening, '2025-01-08T23:59:00Z')).toEqual({ value: 1 })
    expect(wantedAt(evening, '2025-01-09T00:00:00Z')).toBeUndefined()
  })

  test('without days is never active', () => {
    expect(wantedAt(schedule({ days: [] }), '2025-01-08T12:00:00Z')).toBeUndefined()
  })

  test.each(['', '6:00', '25:00', '24:01', '12:60', '12:00:00', ' 12:00', 'noon', '-1:00'])(
    'with the time %j is left out, and the others are kept',
    (time) => {
      const others = { from: '12:00', to: '13:00', value: 7 }
      expect(slotsOf(schedule({ from: time, to: '24:00' }, others, { from: '00:00', to: time }))).toHaveLength(1)
      expect(wantedAt(schedule({ from: time }, others, { to: time }), '2025-01-08T12:00:00Z')).toEqual({ value: 7 })
    },
  )
})

describe('a slot over midnight', () => {
  const night = schedule({ days: ['sun'], from: '22:00', to: '06:00' })

  test.each([
    ['sunday before', '2025-01-12T21:59:00Z', false],
    ['sunday evening', '2025-01-12T22:00:00Z', true],
    ['midnight', '2025-01-13T00:00:00Z', true],
    ['monday morning', '2025-01-13T05:59:00Z', true],
    ['its end', '2025-01-13T06:00:00Z', false],
    ['monday evening', '2025-01-13T22:00:00Z', false],
    ['the morning of its own day', '2025-01-12T05:00:00Z', false],
  ])('belongs to the day on which it starts: %s', (_when, moment, active) => {
    expect(wantedAt(night, moment) !== undefined).toBe(active)
  })

  test.each([
    ['00:00', '2025-01-12T23:59:00Z', '2025-01-13T00:00:00Z'],
    ['22:00', '2025-01-13T21:59:00Z', '2025-01-13T22:00:00Z'],
  ])('may end at %s of the next day', (to, last, over) => {
    const slots = schedule({ days: ['sun'], from: '22:00', to })
    expect(wantedAt(slots, last)).toBeDefined()
    expect(wantedAt(slots, over)).toBeUndefined()
  })
})

describe('several active slots', () => {
  test('the last in the list wins, and the earlier one resumes after it', () => {
    const both = schedule({ value: 18 }, { from: '08:00', to: '10:00', value: 22 })
    expect(wantedAt(both, '2025-01-08T09:00:00Z')).toEqual({ value: 22 })
    expect(wantedAt(both, '2025-01-08T10:00:00Z')).toEqual({ value: 18 })
    const turned = schedule({ from: '08:00', to: '10:00', value: 22 }, { value: 18 })
    expect(wantedAt(turned, '2025-01-08T09:00:00Z')).toEqual({ value: 18 })
  })

  test('without any, nothing is claimed', () => {
    expect(wantedAt(schedule(), '2025-01-08T09:00:00Z')).toBeUndefined()
  })
})

describe('in the night when the clock goes from 03:00 to 04:00 (01:00 UTC), a slot', () => {
  test.each([
    ['02:30', '03:30', 'ends with the jump', ['00:30-01:00']],
    ['03:30', '05:00', 'starts with the jump', ['01:00-02:00']],
    ['02:00', '05:00', 'is an hour shorter', ['00:00-02:00']],
    ['03:15', '03:45', 'that has no time is left out', []],
    ['22:00', '03:30', 'from the evening before ends with the jump', ['20:00-01:00']],
  ])('%s to %s %s', (from, to, _what, spans) => {
    expect(activeIn('2025-03-30', schedule({ from, to }))).toEqual(spans)
  })
})

describe('in the night when the clock goes from 04:00 back to 03:00 (01:00 UTC), a slot', () => {
  test.each([
    ['02:30', '03:30', 'is active once', ['23:30-00:30']],
    ['03:15', '03:45', 'is active once', ['00:15-00:45']],
    ['03:30', '05:00', 'is an hour longer', ['00:30-03:00']],
    ['02:00', '04:00', 'is an hour longer', ['23:00-02:00']],
    ['04:00', '05:00', 'starts when the clock has shown 03:59 twice', ['02:00-03:00']],
    ['22:00', '03:30', 'from the evening before ends once', ['19:00-00:30']],
  ])('%s to %s %s', (from, to, _what, spans) => {
    expect(activeIn('2025-10-26', schedule({ from, to }))).toEqual(spans)
  })

  test('that follows another leaves no gap and no overlap', () => {
    const slots = slotsOf(schedule({ to: '03:30', value: 1 }, { from: '03:30', value: 2 }))
    const values: number[] = []
    for (
      let moment = Date.parse('2025-10-25T23:00:00Z');
      moment < Date.parse('2025-10-26T04:00:00Z');
      moment += MINUTE
    ) {
      const at = siteTimeAt(TALLINN, moment)
      const want = at && wantAt(slots, at)
      const value = want && 'value' in want ? want.value : Number.NaN
      if (values.at(-1) !== value) values.push(value)
    }
    expect(values).toEqual([1, 2])
  })
})

describe('the next check', () => {
  test.each([
    ['at a full minute', '12:00:00.000', 30_000],
    ['just after it', '12:00:00.001', 30_000],
    ['at the half minute', '12:00:30.000', 30_000],
    ['past it', '12:00:45.000', 15_000],
    ['just before the next', '12:00:59.999', 1],
  ])('%s', (_when, time, ms) => {
    expect(nextCheck(Date.parse(`2025-01-08T${time}Z`))).toBe(ms)
  })

  test('is within 30 s, misses no full minute and is never immediate', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 4e12 }), (now) => {
        const ms = nextCheck(now)
        expect(ms).toBeGreaterThan(0)
        expect(ms).toBeLessThanOrEqual(30_000)
        if (now >= 0)
          expect(Math.floor((now + ms) / MINUTE) - Math.floor(now / MINUTE)).toBe((now + ms) % MINUTE === 0 ? 1 : 0)
      }),
    )
  })
})
