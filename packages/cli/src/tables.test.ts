import type { ReportEntry } from '@plantroom/contract/reports'
import type { ConnectionValues } from '@plantroom/contract/values'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { pointsTable, reportsTable, valuesTable } from './tables.ts'

const AT = '2030-01-01T00:00:00.000Z'
const NAMES = new Map([['dp_1', 'Charge power']])

const snapshot = (about: Partial<ConnectionValues> = {}): ConnectionValues => ({
  connectionId: 'con_1',
  status: 1,
  error: null,
  timestamp: AT,
  values: {},
  ...about,
})

describe('live values', () => {
  test('show which writer holds a datapoint and what a schedule deviates from', () => {
    const values = {
      dp_1: { value: -20, timestamp: AT, locked: true, lockedBy: 'demand-response' as const },
      dp_2: {
        value: 19,
        timestamp: AT,
        lockedBy: 'deviation' as const,
        deviationActivated: true,
        deviationCachedValue: 0,
      },
      dp_3: { value: 1, timestamp: AT, deviationActivated: true, deviationCachedValue: '9007199254740993' },
      dp_4: { value: null, timestamp: AT, error: 'exception 2' },
    }
    expect(valuesTable(snapshot({ values }), { names: NAMES, units: new Map([['dp_1', 'kW']]) })).toBe(
      [
        `con_1 at ${AT}: connected`,
        'ID    NAME          VALUE   READ AT                   HELD BY          DEVIATION                     ERROR',
        `dp_1  Charge power  -20 kW  ${AT}  demand-response`,
        `dp_2                19      ${AT}  deviation        active, was 0`,
        `dp_3                1       ${AT}                   active, was 9007199254740993`,
        `dp_4                -       ${AT}                                                 exception 2`,
      ].join('\n'),
    )
  })

  test.each([
    [2, null, 'connecting'],
    [0, null, 'disconnected, last known values'],
    [-1, 'no answer', 'error, last known values (no answer)'],
  ] as const)('show the connection status %d', (status, error, description) => {
    expect(
      valuesTable(snapshot({ status, error }), {
        names: NAMES,
        units: new Map(),
        connections: new Map([['con_1', 'Pump\n2']]),
      }),
    ).toBe(`con_1 Pump\\n2 at ${AT}: ${description}\nno datapoints`)
  })
})

describe('datapoints', () => {
  test('show their envelope and address', () => {
    const point = aDatapoint({
      id: 'dp_1',
      name: 'Charge power',
      accessType: 'READ_WRITE',
      writeInputData: { min: -50, max: 50 },
      data: { register: 100 },
    })
    expect(pointsTable([point]).split('\n')[1]).toBe(
      'dp_1  Charge power  READ_WRITE  -50 to 50          {"register":100}',
    )
  })
})

describe('reports', () => {
  const report = (about: Partial<ReportEntry>): ReportEntry => ({
    id: 'rep_1',
    code: 4005,
    name: 'OPTIMIZATION_DEMAND_RESPONSE',
    title: 'Demand response adjustment',
    group: 'optimization',
    level: 'INFO',
    at: AT,
    deviceId: 'dev_1',
    technicalSystemId: 'sys_1',
    connectionId: 'con_1',
    datapointId: 'dp_1',
    overrideId: 'ovr_1',
    reqId: null,
    phase: 'applied',
    reason: 'window',
    valueBefore: 5,
    value: -20,
    readBack: -20,
    seq: 1,
    placedBy: null,
    cancelledBy: null,
    ...about,
  })

  test('are listed in the given order, with known names, and dashes for missing values', () => {
    const released = report({
      phase: 'released',
      reason: 'ended',
      value: 0,
      readBack: null,
      valueBefore: '9007199254740993',
    })
    const shed = report({ code: 4000, datapointId: 'dp_9', overrideId: null })
    const cancelled = report({
      ...{ phase: 'released', reason: 'cancelled', value: 5, readBack: 5 },
      placedBy: { id: 'key_1', name: 'Market', reason: null },
      cancelledBy: { id: 'user:usr_1', name: 'ann@example.com', reason: 'too cold' },
    })
    const hidden = report({ placedBy: { id: 'key_1', name: null, reason: null } })
    expect(reportsTable([released, shed, cancelled, hidden], NAMES)).toBe(
      [
        'AT                        CODE  PHASE     REASON     DATAPOINT     BEFORE            VALUE  READ BACK  OVERRIDE  PLACED BY  ENDED BY',
        `${AT}  4005  released  ended      Charge power  9007199254740993  0      -          ovr_1     -          -`,
        `${AT}  4000  applied   window     dp_9          5                 -20    -20        -         -          -`,
        `${AT}  4005  released  cancelled  Charge power  5                 5      5          ovr_1     Market     ann@example.com (too cold)`,
        `${AT}  4005  applied   window     Charge power  5                 -20    -20        ovr_1     key_1      -`,
      ].join('\n'),
    )
  })

  test('say what the equipment follows instead of the controller', () => {
    const row = (about: Partial<ReportEntry>) => reportsTable([report(about)], NAMES).split('\n')[1]
    expect(row({ readBack: 19, inCharge: { priority: 8, value: 19, outranks: true } })).toMatch(
      / 19 \(outranked by priority 8: 19\) /,
    )
    expect(row({ inCharge: { priority: 16, value: null, outranks: false } })).toMatch(/ -20 \(follows priority 16\) /)
  })

  test('name who closed a hold, and why', () => {
    const cancelledBy = { id: 'operator', name: '', reason: 'equipment gone' }
    const closed = report({ phase: 'released', reason: 'abandoned', value: 5, readBack: -20, cancelledBy })
    expect(reportsTable([closed], NAMES)).toMatch(/ released +abandoned .* operator \(equipment gone\)$/)
  })

  test('may be empty', () => {
    expect(reportsTable([], NAMES)).toBe('no reports')
  })
})
