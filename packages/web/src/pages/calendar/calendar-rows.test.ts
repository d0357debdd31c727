import type { ReportEntry } from '@plantroom/contract/reports'
import { describe, expect, test } from 'vitest'
import { periodOf } from '../../parts/calendar-time.ts'
import { type CalendarSource, calendarRows } from './calendar-rows.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const at = (time: string) => `2026-11-16T${time}:00.000Z`
const period = periodOf('day', '2026-11-16', 'UTC')

const source = (live: CalendarSource['live'] = []): CalendarSource => ({
  device: { id: 'dev', name: 'Cellar' },
  systems: [
    {
      id: 'sys',
      name: 'Room',
      connections: [
        { id: 'con', name: 'Inverter', protocol: 'mqtt', settings: {}, datapoints: [point('power'), point('valve')] },
      ],
      schedules: [
        {
          id: 'sch',
          name: 'Day',
          datapointId: 'valve',
          slots: [{ days: ['mon'], from: '07:00', to: '18:00', mode: 'absolute', value: 3 }],
        },
      ],
    } as never,
  ],
  live,
})
const point = (id: string) => ({ id, name: `The ${id}`, unit: 'kW' })
const override = (about: object = {}) =>
  ({
    ...{ id: 'one', datapointId: 'power', value: 5, from: at('11:00'), to: at('13:00'), reqId: null, placedBy: null },
    ...{ state: 'active', placedByName: 'Grid partner' },
    ...about,
  }) as CalendarSource['live'][number]
const entry = (overrideId: string, phase: string, time: string, about: object = {}) =>
  ({
    ...{ overrideId, phase, at: at(time), deviceId: 'dev', datapointId: 'power', value: 7 },
    ...{ placedBy: { id: 'key', name: 'Aggregator', reason: 'Peak' } },
    ...about,
  }) as ReportEntry

const rows = (sources: CalendarSource[], reports: ReportEntry[] = []) =>
  calendarRows(sources, reports, { period, timeZone: 'UTC', now: NOW })

describe('the rows of the calendar', () => {
  test('are datapoints with a schedule or an override in the period', () => {
    expect(rows([source()])).toMatchObject([{ name: 'The valve', unit: 'kW', overrides: [], slots: [{}] }])
    const tomorrow = override({ from: '2026-11-17T00:00:00Z', to: '2026-11-17T01:00:00Z' })
    expect(rows([source([tomorrow])])).toHaveLength(1)
    expect(rows([source([override()])]).map(({ name }) => name)).toEqual(['The power', 'The valve'])
  })

  test('have overrides that have ended from the audit, and others from the controller', () => {
    const reports = [
      entry('one', 'applied', '11:00'),
      entry('old', 'applied', '02:00'),
      entry('old', 'released', '03:00', { value: null }),
      entry('foreign', 'applied', '04:00', { deviceId: 'other' }),
    ]
    const [power] = rows([source([override()])], reports)
    expect(power?.overrides.map(({ id, state, value, placedByName }) => [id, state, value, placedByName])).toEqual([
      [null, 'ended', 7, 'Aggregator'],
      ['one', 'active', 5, 'Grid partner'],
    ])
  })

  test('do not show an override twice to people who do not get its id', () => {
    const [power] = rows([source([override({ id: null })])], [entry('one', 'applied', '11:00')])
    expect(power?.overrides).toHaveLength(1)
  })

  test('show an override of a silent controller up to now', () => {
    const [power] = rows([source()], [entry('one', 'applied', '11:00')])
    expect(power?.overrides).toMatchObject([{ state: 'active', id: null, end: NOW }])
  })

  test('stack overrides while they overlap', () => {
    const [power] = rows([
      source([
        override(),
        override({ id: 'two', from: at('12:00'), to: at('14:00'), state: 'superseded' }),
        override({ id: 'three', from: at('13:00'), to: at('15:00'), state: 'queued' }),
      ]),
    ])
    expect([power?.lanes, power?.overrides.map(({ id, lane }) => [id, lane])]).toEqual([
      2,
      [
        ['one', 0],
        ['two', 1],
        ['three', 0],
      ],
    ])
  })

  test('name a datapoint that is no longer commissioned by its id', () => {
    expect(rows([source([override({ datapointId: 'gone' })])])[1]).toMatchObject({ name: 'gone' })
  })
})
