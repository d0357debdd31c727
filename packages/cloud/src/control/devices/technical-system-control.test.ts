import { type CommissionedDatapoint, type CommissioningFile, fileProblems } from '@plantroom/contract/commissioning'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { buildTechnicalSystem } from './technical-system.ts'

const [NOW, LATER] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']

const point = (name: string, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name,
  accessType: 'READ_WRITE',
  data: {},
  ...about,
})

/** Two identical inverters and a meter, with control settings. */
function room(control: Pick<CommissioningFile, 'peakShaving' | 'powerLimit' | 'schedules'> = {}): CommissioningFile {
  const inverter = (name: string) => ({
    name,
    protocol: 'modbus-tcp' as const,
    settings: {},
    datapoints: [
      point('Power', { failsafe: { reversion: 'Reverts after', seconds: 120 } }),
      point('Reverts after', { accessType: 'WRITE' }),
      point('Limit', { failsafe: { heartbeat: 'Alive', seconds: 5 } }),
      point('Alive'),
    ],
  })
  const meter = {
    ...inverter('Meter'),
    datapoints: [point('Grid', { accessType: 'READ', unit: 'W' }), point('Tariff')],
  }
  const file = { technicalSystem: 'Room', connections: [inverter('East'), inverter('West'), meter], ...control }
  expect(fileProblems(file)).toEqual([])
  return file
}

function built(file: CommissioningFile, about: { before?: TechnicalSystem; now?: string; timeZone?: string } = {}) {
  const { before, now = NOW, timeZone = 'UTC' } = about
  return buildTechnicalSystem(file, { deviceId: 'dev_1', timeZone, before, now })
}

function datapoint(system: TechnicalSystem, connection: string, name: string): Datapoint {
  const found = system.connections.find((one) => one.name === connection)?.datapoints.find((one) => one.name === name)
  if (!found) throw new Error(`the system has no ${connection}/${name}`)
  return found
}

/** The system as the database returns it. */
const stored = (system: TechnicalSystem): TechnicalSystem => JSON.parse(JSON.stringify(system))

const LIMIT_OF_WEST = {
  meter: 'Grid',
  limitKw: 100,
  loads: [{ datapoint: 'West/Limit', priority: 2, shedValue: -20 }],
}
const WORKDAY = { days: ['fri', 'mon', 'fri'], from: '07:00', to: '18:00', value: 21 } as const
const HOURS = { name: 'Office hours', datapoint: 'East/Power', slots: [WORKDAY] }

describe('a file without control settings', () => {
  test('builds a system without control, in the time zone of its site', () => {
    const file = { technicalSystem: 'Room', connections: [] }
    expect(built(file, { timeZone: 'Europe/Tallinn' })).toEqual({
      id: expect.any(String),
      name: 'Room',
      timeZone: 'Europe/Tallinn',
      connections: [],
      peakShaving: null,
      schedules: [],
      failsafes: [],
    })
  })
})

describe('peak shaving', () => {
  test('refers to datapoints by id and uses defaults, including the shortest cycle', () => {
    const system = built(room({ peakShaving: LIMIT_OF_WEST }))
    expect(system.peakShaving).toEqual({
      meterId: datapoint(system, 'Meter', 'Grid').id,
      limitKw: 100,
      hysteresisKw: 0,
      cycleSeconds: 10,
      loads: [
        {
          datapointId: datapoint(system, 'West', 'Limit').id,
          priority: 2,
          shedValue: -20,
          minOnSeconds: 0,
          minOffSeconds: 0,
        },
      ],
    })
  })

  test('keeps given settings', () => {
    const given = { hysteresisKw: 5.5, cycleSeconds: 60 }
    const loads = [
      { datapoint: 'West/Limit', priority: 2, shedValue: 0, minOnSeconds: 60, minOffSeconds: 90 },
      { datapoint: 'Tariff', priority: 1, shedValue: 1, minOnSeconds: 1, minOffSeconds: 2 },
    ]
    const system = built(room({ peakShaving: { ...LIMIT_OF_WEST, ...given, loads } }))
    expect(system.peakShaving).toMatchObject({
      ...given,
      loads: loads.map(({ datapoint: _name, ...rest }) => rest),
    })
  })

  test('has a limit per hour, or none', () => {
    const hourlyLimitsKw = Array.from({ length: 24 }, (_, hour) => hour * 10)
    const { limitKw: _limit, ...unlimited } = LIMIT_OF_WEST
    expect(built(room({ peakShaving: { ...unlimited, hourlyLimitsKw } })).peakShaving?.limitKw).toEqual(hourlyLimitsKw)
    expect(built(room({ peakShaving: unlimited })).peakShaving?.limitKw).toBeNull()
    expect(built(room({ peakShaving: { ...unlimited, limitKw: 0 } })).peakShaving?.limitKw).toBe(0)
  })
})

describe('a power limit', () => {
  test('refers to datapoints by id, with the factors of their units and limits in kW', () => {
    const system = built(
      room({
        powerLimit: {
          meter: 'Grid',
          guaranteedKw: 4.2,
          connectionKw: 30,
          fallback: { importKw: 10 },
          loads: [
            { datapoint: 'East/Power', kind: 'modulating', priority: 1, minKw: -50, maxKw: 50 },
            { datapoint: 'West/Limit', kind: 'switching', priority: 2, shedValue: 1, ratedKw: 9, minOnSeconds: 60 },
          ],
          inputs: [{ datapoint: 'Tariff', limitPercent: 60 }],
        },
      }),
    )
    expect(system.powerLimit).toEqual({
      meterId: datapoint(system, 'Meter', 'Grid').id,
      meterKwPerUnit: 0.001,
      guaranteedKw: 4.2,
      connectionKw: 30,
      fallback: { importKw: 10 },
      loads: [
        {
          datapointId: datapoint(system, 'East', 'Power').id,
          ...{ kind: 'modulating', priority: 1, minKw: -50, maxKw: 50, kwPerUnit: 1 },
        },
        {
          datapointId: datapoint(system, 'West', 'Limit').id,
          ...{ kind: 'switching', priority: 2, shedValue: 1, ratedKw: 9, minOnSeconds: 60, minOffSeconds: 0 },
        },
      ],
      inputs: [
        {
          datapointId: datapoint(system, 'Meter', 'Tariff').id,
          ...{ limitKw: 18, limitPercent: 60, closedValue: 1, debounceSeconds: 2, whenLost: 'closed' },
        },
      ],
    })
  })
})

describe('a schedule', () => {
  test('has ids for itself and its datapoint, and slots with sorted days and a mode', () => {
    const night = { days: ['sun'], from: '22:00', to: '24:00', mode: 'offset', value: -2 } as const
    const system = built(room({ schedules: [{ ...HOURS, slots: [WORKDAY, night] }] }))
    expect(system.schedules).toEqual([
      {
        id: expect.stringMatching(/^sch_[0-9a-z]{20}$/),
        name: 'Office hours',
        datapointId: datapoint(system, 'East', 'Power').id,
        slots: [{ ...WORKDAY, days: ['mon', 'fri'], mode: 'absolute' }, night],
      },
    ])
  })

  test('is referenced only by the datapoint it controls', () => {
    const system = built(room({ schedules: [HOURS] }))
    const named = system.connections
      .flatMap(({ datapoints }) => datapoints)
      .filter(({ cloudScheduleId }) => cloudScheduleId !== null)
    expect(named.map(({ id, cloudScheduleId }) => [id, cloudScheduleId])).toEqual([
      [datapoint(system, 'East', 'Power').id, system.schedules?.[0]?.id],
    ])
  })

  test('keeps its id with its name, even on another datapoint, but not on another device or system', () => {
    const id = (file: CommissioningFile, deviceId = 'dev_1') =>
      buildTechnicalSystem(file, { deviceId, timeZone: 'UTC', before: undefined, now: NOW }).schedules?.[0]?.id
    const file = room({ schedules: [HOURS] })
    expect(id(room({ schedules: [{ ...HOURS, datapoint: 'Tariff', slots: [{ ...WORKDAY, value: 5 }] }] }))).toBe(
      id(file),
    )
    const others = [
      id(file, 'dev_2'),
      id({ ...file, technicalSystem: 'Roof' }),
      id(room({ schedules: [{ ...HOURS, name: 'Nights' }] })),
    ]
    expect(new Set([id(file), ...others]).size).toBe(4)
  })

  test('updates only the timestamp of its datapoint when it is added or removed', () => {
    const without = built(room())
    const withOne = built(room({ schedules: [HOURS] }), { before: stored(without), now: LATER })
    for (const { id, updatedAt } of withOne.connections.flatMap(({ datapoints }) => datapoints)) {
      expect(updatedAt).toBe(id === datapoint(withOne, 'East', 'Power').id ? LATER : NOW)
    }
    const again = built(room(), { before: stored(withOne), now: LATER })
    expect(datapoint(again, 'East', 'Power').cloudScheduleId).toBeNull()
  })
})

describe('a failsafe', () => {
  test('refers to registers of its own connection', () => {
    const system = built(room())
    const id = (connection: string, name: string) => datapoint(system, connection, name).id
    expect(system.failsafes).toEqual(
      ['East', 'West'].flatMap((inverter) => [
        {
          datapointId: id(inverter, 'Power'),
          kind: 'reversion',
          registerId: id(inverter, 'Reverts after'),
          seconds: 120,
        },
        { datapointId: id(inverter, 'Limit'), kind: 'heartbeat', registerId: id(inverter, 'Alive'), seconds: 5 },
      ]),
    )
  })

  test('does not appear on the datapoint, which has only the fields of the contract', () => {
    const system = built(room())
    for (const one of system.connections.flatMap(({ datapoints }) => datapoints))
      expect(one).not.toHaveProperty('failsafe')
  })
})

describe('loading the same file again', () => {
  test('builds the same system with control settings', () => {
    const file = room({ peakShaving: LIMIT_OF_WEST, schedules: [HOURS] })
    const first = built(file)
    expect(stored(built(file, { before: stored(first), now: LATER }))).toEqual(stored(first))
  })

  test('changes only the time zone when the site has a new one', () => {
    const file = room({ schedules: [HOURS] })
    const first = built(file)
    expect(built(file, { before: stored(first), now: LATER, timeZone: 'Asia/Tokyo' })).toEqual({
      ...first,
      timeZone: 'Asia/Tokyo',
    })
  })
})
