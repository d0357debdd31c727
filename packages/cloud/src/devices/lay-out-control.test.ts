import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import { fileProblems } from '@plantroom/contract/commissioning-problems'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { layOut } from './lay-out.ts'

const [NOW, LATER] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']

const point = (name: string, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name,
  accessType: 'READ_WRITE',
  data: {},
  ...about,
})

/** Two inverters alike and a meter, with what drives them. */
function room(control: Pick<CommissioningFile, 'peakShaving' | 'schedules'> = {}): CommissioningFile {
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
  const meter = { ...inverter('Meter'), datapoints: [point('Grid', { accessType: 'READ' }), point('Tariff')] }
  const file = { technicalSystem: 'Room', connections: [inverter('East'), inverter('West'), meter], ...control }
  expect(fileProblems(file)).toEqual([])
  return file
}

function laidOut(file: CommissioningFile, about: { before?: TechnicalSystem; now?: string; timeZone?: string } = {}) {
  const { before, now = NOW, timeZone = 'UTC' } = about
  return layOut(file, { deviceId: 'dev_1', timeZone, before, now })
}

function datapoint(system: TechnicalSystem, connection: string, name: string): Datapoint {
  const found = system.connections.find((one) => one.name === connection)?.datapoints.find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${connection}/${name}`)
  return found
}

/** As it comes back from the database. */
const stored = (system: TechnicalSystem): TechnicalSystem => JSON.parse(JSON.stringify(system))

const LIMIT_OF_WEST = {
  meter: 'Grid',
  limitKw: 100,
  loads: [{ datapoint: 'West/Limit', priority: 2, shedValue: -20 }],
}
const WORKDAY = { days: ['fri', 'mon', 'fri'], from: '07:00', to: '18:00', value: 21 } as const
const HOURS = { name: 'Office hours', datapoint: 'East/Power', slots: [WORKDAY] }

describe('a file without anything that drives its datapoints', () => {
  test('is a system that says so, in the time zone of its site', () => {
    const file = { technicalSystem: 'Room', connections: [] }
    expect(laidOut(file, { timeZone: 'Europe/Tallinn' })).toEqual({
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
  test('has the ids of what it names; what is not said is none, and the shortest cycle', () => {
    const system = laidOut(room({ peakShaving: LIMIT_OF_WEST }))
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

  test('keeps what is said', () => {
    const said = { hysteresisKw: 5.5, cycleSeconds: 60 }
    const loads = [
      { datapoint: 'West/Limit', priority: 2, shedValue: 0, minOnSeconds: 60, minOffSeconds: 90 },
      { datapoint: 'Tariff', priority: 1, shedValue: 1, minOnSeconds: 1, minOffSeconds: 2 },
    ]
    const system = laidOut(room({ peakShaving: { ...LIMIT_OF_WEST, ...said, loads } }))
    expect(system.peakShaving).toMatchObject({
      ...said,
      loads: loads.map(({ datapoint: _name, ...rest }) => rest),
    })
  })

  test('has a limit for each hour, or none yet', () => {
    const hourlyLimitsKw = Array.from({ length: 24 }, (_, hour) => hour * 10)
    const { limitKw: _limit, ...open } = LIMIT_OF_WEST
    expect(laidOut(room({ peakShaving: { ...open, hourlyLimitsKw } })).peakShaving?.limitKw).toEqual(hourlyLimitsKw)
    expect(laidOut(room({ peakShaving: open })).peakShaving?.limitKw).toBeNull()
    expect(laidOut(room({ peakShaving: { ...open, limitKw: 0 } })).peakShaving?.limitKw).toBe(0)
  })
})

describe('a schedule', () => {
  test('has an id, that of what it drives, and slots with their days in order and their mode', () => {
    const night = { days: ['sun'], from: '22:00', to: '24:00', mode: 'offset', value: -2 } as const
    const system = laidOut(room({ schedules: [{ ...HOURS, slots: [WORKDAY, night] }] }))
    expect(system.schedules).toEqual([
      {
        id: expect.stringMatching(/^sch_[0-9a-z]{20}$/),
        name: 'Office hours',
        datapointId: datapoint(system, 'East', 'Power').id,
        slots: [{ ...WORKDAY, days: ['mon', 'fri'], mode: 'absolute' }, night],
      },
    ])
  })

  test('is named by the datapoint that it drives, and by no other', () => {
    const system = laidOut(room({ schedules: [HOURS] }))
    const named = system.connections
      .flatMap(({ datapoints }) => datapoints)
      .filter(({ cloudScheduleId }) => cloudScheduleId !== null)
    expect(named.map(({ id, cloudScheduleId }) => [id, cloudScheduleId])).toEqual([
      [datapoint(system, 'East', 'Power').id, system.schedules?.[0]?.id],
    ])
  })

  test('keeps its id with its name, also on another datapoint; another device, system or name has another', () => {
    const id = (file: CommissioningFile, deviceId = 'dev_1') =>
      layOut(file, { deviceId, timeZone: 'UTC', before: undefined, now: NOW }).schedules?.[0]?.id
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

  test('that comes or goes changes the time of its datapoint, and of no other', () => {
    const without = laidOut(room())
    const withOne = laidOut(room({ schedules: [HOURS] }), { before: stored(without), now: LATER })
    for (const { id, updatedAt } of withOne.connections.flatMap(({ datapoints }) => datapoints)) {
      expect(updatedAt).toBe(id === datapoint(withOne, 'East', 'Power').id ? LATER : NOW)
    }
    const again = laidOut(room(), { before: stored(withOne), now: LATER })
    expect(datapoint(again, 'East', 'Power').cloudScheduleId).toBeNull()
  })
})

describe('a failsafe', () => {
  test('has the ids of its own connection, and its seconds', () => {
    const system = laidOut(room())
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

  test('does not show on the datapoint: that has just the fields that partners know', () => {
    const system = laidOut(room())
    for (const one of system.connections.flatMap(({ datapoints }) => datapoints))
      expect(one).not.toHaveProperty('failsafe')
  })
})

describe('the same file again', () => {
  test('is the same system, whatever drives it', () => {
    const file = room({ peakShaving: LIMIT_OF_WEST, schedules: [HOURS] })
    const first = laidOut(file)
    expect(stored(laidOut(file, { before: stored(first), now: LATER }))).toEqual(stored(first))
  })

  test('in another time zone is the same system but for that', () => {
    const file = room({ schedules: [HOURS] })
    const first = laidOut(file)
    expect(laidOut(file, { before: stored(first), now: LATER, timeZone: 'Asia/Tokyo' })).toEqual({
      ...first,
      timeZone: 'Asia/Tokyo',
    })
  })
})
