import { describe, expect, test } from 'vitest'
import { PROFILES } from '../profiles/profiles.ts'
import { HOUR, interval, known, MINUTE, mapped, NOON, RESOURCES, time } from '../testing/events.ts'
import { dueReports, type ReportState } from './due-reports.ts'
import { type ReportData, reportBody } from './report-body.ts'

const PROFILE = PROFILES['alliance-3.1']
const MAPPING = mapped(RESOURCES, PROFILE)
const DATA: ReportData = {
  measured: (_name, from) => (from === NOON ? { meanKw: 12.3456, energyKwh: 12.3456, coverage: 100 } : undefined),
  setpoint: () => 10,
  operatingState: () => 'RUNNING_CURTAILED',
  usualKw: () => 40,
  baselineKw: () => 50,
}
const DATA_OF_BOTH_HOURS: ReportData = { ...DATA, measured: () => ({ meanKw: 12, energyKwh: 12, coverage: 100 }) }
const state = (more: Partial<ReportState> = {}): ReportState => ({
  mapping: MAPPING,
  profile: PROFILE,
  isSent: () => false,
  ...more,
})
const ven = { version: '3.1', clientName: 'plantroom' } as const
const asking = (...payloadTypes: string[]) =>
  known({
    targets: ['battery'],
    intervals: [interval(0, 1), interval(1, 2)],
    reportDescriptors: payloadTypes.map((payloadType) => ({ payloadType })),
  })

describe('reports of the Alliance', () => {
  test('what has the same terms goes into one report, and what is missing says so', () => {
    const { due } = dueReports(
      [asking('USAGE', 'DEMAND', 'DATA_QUALITY', 'OPERATING_STATE', 'SETPOINT')],
      state(),
      NOON + 2 * HOUR,
    )
    expect(due).toHaveLength(1)
    const body = due[0] && reportBody(due[0], ven, DATA)
    expect(body).toMatchObject({
      eventID: 'event-1',
      clientName: 'plantroom',
      payloadDescriptors: [{ payloadType: 'USAGE', units: 'KWH' }, { units: 'KW' }, {}, {}, {}],
      resources: [
        {
          resourceName: 'battery',
          intervals: [
            {
              id: 0,
              intervalPeriod: { start: time(NOON), duration: 'PT1H' },
              payloads: [
                { type: 'USAGE', values: [12.346] },
                { type: 'DEMAND', values: [12.346] },
                { type: 'DATA_QUALITY', values: ['OK'] },
                { type: 'OPERATING_STATE', values: ['RUNNING_CURTAILED'] },
                { type: 'SETPOINT', values: [10] },
              ],
            },
            { id: 1, payloads: [{ type: 'DATA_QUALITY', values: ['MISSING'] }, {}, {}] },
          ],
        },
      ],
    })
    expect(body).not.toHaveProperty('programID')
  })

  test('a report is due once, and its key stays the same', () => {
    const event = asking('USAGE')
    expect(dueReports([event], state(), NOON + HOUR)).toMatchObject({ due: [], nextAt: NOON + 2 * HOUR })
    const [now, later] = [2, 50].map((hours) =>
      dueReports([event], state(), NOON + hours * HOUR).due.map(({ key }) => key),
    )
    expect(later).toEqual(now)
    expect(dueReports([event], state({ isSent: (key) => key === now?.[0] }), NOON + 3 * HOUR).due).toEqual([])
  })

  test('what the profile cannot answer is named', () => {
    expect(dueReports([asking('TELEPATHY', 'STORAGE_CHARGE_LEVEL')], state(), NOON).unanswered).toEqual([
      { eventId: 'event-1', payloadType: 'TELEPATHY' },
      { eventId: 'event-1', payloadType: 'STORAGE_CHARGE_LEVEL' },
    ])
  })

  test('nothing known is nothing reported', () => {
    const nothing = () => undefined
    const none = {
      measured: nothing,
      setpoint: nothing,
      operatingState: nothing,
      usualKw: nothing,
      baselineKw: nothing,
    }
    const [due] = dueReports([asking('USAGE')], state(), NOON + 2 * HOUR).due
    expect(due && reportBody(due, ven, none)).toBeUndefined()
  })

  test('an aggregated report adds up the resources, and is missing where one is', () => {
    const event = known({ reportDescriptors: [{ payloadType: 'DEMAND', aggregate: true }] })
    const [due] = dueReports([event], state(), NOON + HOUR).due
    const one = (missing?: string) =>
      due &&
      reportBody(due, ven, {
        ...DATA,
        measured: (name) => (name === missing ? undefined : { meanKw: 7, energyKwh: 7, coverage: 80 }),
      })
    expect(one()).toMatchObject({
      resources: [{ resourceName: 'AGGREGATED_REPORT', intervals: [{ payloads: [{ values: [14] }] }] }],
    })
    expect(one('battery')).toBeUndefined()
  })

  test.each([
    ['KW', 40, 'ESTIMATED'],
    ['KWH', 80, 'ESTIMATED'],
    ['KW', undefined, 'MISSING'],
  ] as const)('a baseline in %s is %s of two hours of 40 kW, and its quality is %s', (units, value, quality) => {
    const event = known({
      intervals: [interval(0, 1, { start: time(NOON), duration: 'PT2H' })],
      reportDescriptors: [
        { payloadType: 'BASELINE', units },
        { payloadType: 'DATA_QUALITY', units },
      ],
    })
    const [due] = dueReports([event], state(), NOON + 2 * HOUR).due
    const usualKw = () => (value === undefined ? undefined : 40)
    const text = JSON.stringify(due && reportBody(due, ven, { ...DATA, usualKw }))
    expect(text).toContain(JSON.stringify({ type: 'DATA_QUALITY', values: [quality] }))
    if (value === undefined) expect(text).not.toContain('"type":"BASELINE"')
    else expect(text).toContain(JSON.stringify({ type: 'BASELINE', values: [value] }))
  })

  test.each([
    ['USAGE', 'WH', 'WH', 12_000],
    ['USAGE', 'KW', 'KWH', 12],
    ['USAGE', 'KVAH', 'KWH', 12],
    ['DEMAND', 'MW', 'MW', 0.012],
    ['DEMAND', 'KWH', 'KW', 12],
    ['DEMAND', 'GW', 'KW', 12],
    ['BASELINE', 'PERCENT', 'KW', 40],
  ])('%s in %s is sent in %s', (payloadType, asked, units, value) => {
    const event = known({ reportDescriptors: [{ payloadType, units: asked }], targets: ['battery'] })
    const [due] = dueReports([event], state(), NOON + HOUR).due
    expect(due && reportBody(due, ven, DATA_OF_BOTH_HOURS)).toMatchObject({
      payloadDescriptors: [{ payloadType, units }],
      resources: [{ intervals: [{ payloads: [{ values: [value] }] }] }],
    })
  })

  test('an event that never ends has no report at its end, and one of a repeated event comes every round', () => {
    const endless = known({
      intervalPeriod: { start: time(NOON), duration: 'P9999Y' },
      reportDescriptors: [{ payloadType: 'USAGE' }],
    })
    expect(dueReports([endless], state(), NOON + 900 * HOUR).due).toEqual([])
    const repeated = known({
      duration: 'P9999Y',
      intervalPeriod: { start: time(NOON), duration: 'PT15M' },
      reportDescriptors: [{ payloadType: 'USAGE', numIntervals: 1, frequency: 1, repeat: -1 }],
    })
    const due = (now: number) => dueReports([repeated], state({ lookbackMs: HOUR }), now).due
    expect(due(NOON + 61 * MINUTE).map(({ dueAt }) => (dueAt - NOON) / MINUTE)).toEqual([15, 30, 45, 60])
    const [early, late] = [61, 70].map((minute) => due(NOON + minute * MINUTE).map(({ key }) => key))
    expect(late?.every((key) => early?.includes(key))).toBe(true)
  })
})

describe('reports of NL-Flex', () => {
  const profile = PROFILES['nlflex-1.0']
  const mapping = mapped(
    [
      {
        resourceName: 'group-1',
        rules: [{ payload: 'FLEX', limit: { siteId: 's', direction: 'import', averagingSeconds: 900 } }],
      },
    ],
    profile,
  )
  const flex = known({
    targets: ['group-1'],
    intervalPeriod: { start: time(NOON), duration: 'P1D' },
    intervals: [interval(0, 40, { start: time(NOON), duration: 'PT2H' }, 'FLEX')],
    reportDescriptors: [
      { payloadType: 'ACK', frequency: 0 },
      { payloadType: 'DELIVERED_FLEX', reportIntervals: 'INTERVALS' },
    ],
  })
  const due = (now: number) => dueReports([flex], { mapping, profile, isSent: () => false }, now).due

  test('an acknowledgement is one aggregated entry without a time', () => {
    const [ack] = due(NOON)
    expect(due(NOON)).toHaveLength(1)
    expect(ack && reportBody(ack, ven, DATA)).toMatchObject({
      resources: [
        { resourceName: 'AGGREGATED_REPORT', intervals: [{ id: 0, payloads: [{ type: 'ACK', values: [true] }] }] },
      ],
    })
  })

  test('no report has a payload descriptor, which the client of its operators cannot read', () => {
    const bodies = [NOON, NOON + 2 * HOUR].flatMap(due).map((one) => reportBody(one, ven, DATA_OF_BOTH_HOURS))
    expect(bodies).toHaveLength(2)
    for (const body of bodies) expect(body).not.toHaveProperty('payloadDescriptors')
  })

  test('a delivery has one value for each quarter of an hour, never below 0 and with two decimals', () => {
    const [delivery] = due(NOON + 2 * HOUR)
    const measured = (_name: string, from: number) => ({
      meanKw: from === NOON ? 9.877 : 60,
      energyKwh: 0,
      coverage: 100,
    })
    expect(delivery && reportBody(delivery, ven, { ...DATA, measured })).toMatchObject({
      resources: [
        {
          resourceName: 'AGGREGATED_REPORT',
          intervals: [
            {
              id: 0,
              intervalPeriod: { start: time(NOON), duration: 'PT2H' },
              payloads: [{ type: 'DELIVERED_FLEX', values: [40.12, 0, 0, 0, 0, 0, 0, 0] }],
            },
          ],
        },
      ],
    })
  })

  test('a status is reported when it changes, against the event that asks for it', () => {
    const anchor = known({
      id: 'anchor',
      intervalPeriod: null,
      intervals: null,
      reportDescriptors: [{ payloadType: 'OPERATIONAL_STATUS', frequency: 0, repeat: -1 }],
    })
    const statuses = [{ resourceName: 'group-1', status: 'ERROR' as const, since: NOON }]
    const reports = dueReports([anchor], { mapping, profile, isSent: () => false, statuses }, NOON)
    const [report] = reports.due
    expect(report && reportBody(report, ven, DATA)).toMatchObject({
      eventID: 'anchor',
      reportName: 'OPERATIONAL_STATUS',
      resources: [{ resourceName: 'group-1', intervals: [{ id: 0, payloads: [{ values: ['ERROR'] }] }] }],
    })
  })
})

describe('an event of many intervals', () => {
  const each = { payloadType: 'USAGE', numIntervals: 1, frequency: 1, repeat: -1 }
  const quarters = (reportDescriptors: readonly object[], more = {}) =>
    known({
      targets: ['battery'],
      intervalPeriod: { start: time(NOON), duration: 'PT15M' },
      reportDescriptors,
      ...more,
    })
  const lookbackMs = 72 * HOUR

  test.each(['P1Y', 'P9999Y'])('that repeats them for %s is reported to its end', (duration) => {
    const now = NOON + 300 * 24 * HOUR
    const { due } = dueReports([quarters([each], { duration })], state({ lookbackMs }), now)
    expect(due.map(({ intervals }) => intervals.length)).toEqual(Array.from({ length: 289 }, () => 1))
    expect(due.at(-1)?.intervals[0]).toMatchObject({ from: now - 15 * MINUTE, to: now })
  })

  test.each(['P1Y', 'P9999Y'])('that repeats them for %s has reports that are longer than we look back', (duration) => {
    const week = { ...each, numIntervals: 672, frequency: 672 }
    const now = NOON + 301 * 24 * HOUR
    const { due } = dueReports([quarters([week], { duration })], state({ lookbackMs }), now)
    expect(due.map(({ intervals }) => [intervals.length, intervals[0]?.from])).toEqual([[672, NOON + 294 * 24 * HOUR]])
  })

  test('that asks for thousands of long reports gets them bit by bit', () => {
    const intervals = Array.from({ length: 1500 }, (_, id) => interval(id, id))
    const event = quarters([{ ...each, numIntervals: 1000 }], {
      intervals,
      intervalPeriod: { start: time(NOON), duration: 'PT10S' },
    })
    const sent = new Set<string>()
    const at = NOON + 20 * HOUR
    const looks: number[] = []
    for (let look = dueReports([event], state(), at); look.due.length > 0; ) {
      expect(look.due.reduce((sum, { intervals: own }) => sum + own.length, 0)).toBeLessThanOrEqual(51_000)
      looks.push(look.due.length)
      for (const { key } of look.due) sent.add(key)
      if (sent.size < 1500) expect(look.nextAt).toBe(at + 10_000)
      look = dueReports([event], state({ isSent: (key) => sent.has(key) }), at)
    }
    expect([sent.size, looks.length]).toEqual([1500, expect.any(Number)])
  })
})
