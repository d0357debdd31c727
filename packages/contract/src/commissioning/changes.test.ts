import { describe, expect, test } from 'vitest'
import { changesOf } from './changes.ts'
import type { CommissioningFile } from './file.ts'

const FILE: CommissioningFile = {
  technicalSystem: 'Battery room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: { host: '192.0.2.10', port: 502 },
      datapoints: [
        { name: 'Charge power', accessType: 'READ_WRITE', data: { register: 100, type: 'int16' } },
        { name: 'Grid power', accessType: 'READ', data: { register: 101, type: 'int16' } },
      ],
    },
  ],
  peakShaving: {
    meter: 'Grid power',
    limitKw: 100,
    loads: [{ datapoint: 'Charge power', priority: 1, shedValue: 0 }],
  },
  schedules: [
    {
      name: 'Nights',
      datapoint: 'Charge power',
      slots: [{ days: ['sun', 'mon'], from: '22:00', to: '06:00', value: 5 }],
    },
  ],
}
const [inverter] = FILE.connections
if (!inverter) throw new Error('the file of this test has a connection')
const [charge, grid] = inverter.datapoints
if (!charge || !grid) throw new Error('and two datapoints')

const NIGHT = { days: ['mon', 'sun'], from: '22:00', to: '06:00', mode: 'absolute', value: 5 }

describe('the changes of a file', () => {
  test('are empty when it means the same, even if written differently', () => {
    const rewritten: CommissioningFile = {
      ...FILE,
      connections: [
        {
          ...inverter,
          settings: { port: 502, host: '192.0.2.10' },
          datapoints: [
            {
              ...charge,
              writeInputType: 'number',
              writeInterval: 0,
              scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 },
              data: { type: 'int16', register: 100 },
            },
            { ...grid, analyticsInterval: 0 },
          ],
        },
      ],
      peakShaving: {
        meter: 'Inverter/Grid power',
        limitKw: 100,
        cycleSeconds: 10,
        loads: [{ datapoint: 'Inverter/Charge power', priority: 1, shedValue: 0, minOnSeconds: 0 }],
      },
      schedules: [
        {
          name: 'Nights',
          datapoint: 'Inverter/Charge power',
          slots: [{ days: ['mon', 'sun'], from: '22:00', to: '06:00', mode: 'absolute', value: 5 }],
        },
      ],
    }
    const none = { system: 'same', connections: [], schedules: [], peakShaving: undefined }
    expect(changesOf(FILE, rewritten)).toEqual(none)
    expect(changesOf(rewritten, FILE)).toEqual(none)
  })

  test('include everything on a controller without this system', () => {
    const { system, connections, schedules, peakShaving } = changesOf(undefined, FILE)
    expect(system).toBe('new')
    expect(connections).toEqual([
      {
        name: 'Inverter',
        change: 'new',
        fields: [],
        unchanged: 0,
        datapoints: [
          { name: 'Charge power', change: 'new', fields: [] },
          { name: 'Grid power', change: 'new', fields: [] },
        ],
      },
    ])
    expect(schedules).toEqual([
      {
        ...{ name: 'Nights', change: 'new', datapoint: 'Inverter/Charge power', isReordered: false },
        fields: [{ field: 'datapoint', from: undefined, to: 'Inverter/Charge power' }],
        slots: [{ from: undefined, to: NIGHT }],
      },
    ])
    expect(peakShaving).toMatchObject({
      change: 'new',
      fields: [
        { field: 'meter', from: undefined, to: 'Inverter/Grid power' },
        { field: 'hysteresisKw', to: 0 },
        { field: 'cycleSeconds', to: 10 },
        { field: 'limitKw', from: undefined, to: 100 },
      ],
      loads: [{ name: 'Inverter/Charge power', change: 'new' }],
    })
  })

  test('list what is new, changed and removed, with the changed fields', () => {
    const after: CommissioningFile = {
      technicalSystem: 'Battery room',
      connections: [
        {
          ...inverter,
          settings: { host: '192.0.2.11', port: 502 },
          datapoints: [
            { ...charge, writeInputData: { min: -50, max: 50 }, data: { register: 200, type: 'int16' } },
            { name: 'Grid power 2', accessType: 'READ', data: { register: 102, type: 'int16' } },
          ],
        },
        { name: 'Meter', protocol: 'mqtt', settings: {}, datapoints: [] },
      ],
    }
    const changes = changesOf(FILE, after)
    expect(changes.system).toBe('changed')
    expect(changes.connections).toEqual([
      {
        name: 'Inverter',
        change: 'changed',
        fields: [{ field: 'settings.host', from: '192.0.2.10', to: '192.0.2.11' }],
        unchanged: 0,
        datapoints: [
          {
            name: 'Charge power',
            change: 'changed',
            fields: [
              { field: 'data.register', from: 100, to: 200 },
              { field: 'writeInputData.min', from: undefined, to: -50 },
              { field: 'writeInputData.max', from: undefined, to: 50 },
            ],
          },
          { name: 'Grid power 2', change: 'new', fields: [] },
          { name: 'Grid power', change: 'removed', fields: [] },
        ],
      },
      { name: 'Meter', change: 'new', fields: [], datapoints: [], unchanged: 0 },
    ])
    expect(changes.schedules).toMatchObject([
      { name: 'Nights', change: 'removed', slots: [{ from: NIGHT, to: undefined }] },
    ])
    expect(changes.peakShaving).toMatchObject({ change: 'removed', loads: [{ change: 'removed' }] })
  })

  test('count the unchanged datapoints of a changed connection', () => {
    const after = { ...FILE, connections: [{ ...inverter, datapoints: [{ ...charge, analyticsInterval: 60 }, grid] }] }
    expect(changesOf(FILE, after).connections[0]).toMatchObject({
      unchanged: 1,
      datapoints: [{ name: 'Charge power', fields: [{ field: 'analyticsInterval', from: 0, to: 60 }] }],
    })
  })

  test('remove the system when the file has no connections', () => {
    const empty = { technicalSystem: 'Battery room', connections: [] }
    expect(changesOf(FILE, empty)).toMatchObject({
      system: 'removed',
      connections: [{ name: 'Inverter', change: 'removed' }],
    })
    expect(changesOf(undefined, empty).system).toBe('absent')
  })

  const night = { days: ['sun', 'mon'] as const, from: '22:00', to: '06:00', value: 5 }
  const noon = { days: ['sat'] as const, from: '12:00', to: '13:00', value: 7 }
  const withSlots = (...slots: (typeof night | typeof noon)[]): CommissioningFile => ({
    ...FILE,
    schedules: [{ name: 'Nights', datapoint: 'Charge power', slots }],
  })

  test('of a schedule are listed slot by slot', () => {
    const warmer = { ...noon, value: 9 }
    expect(changesOf(withSlots(night, noon), withSlots(night, warmer, night)).schedules).toMatchObject([
      {
        change: 'changed',
        fields: [],
        slots: [
          { from: { value: 7 }, to: { value: 9 } },
          { from: undefined, to: { value: 5 } },
        ],
        isReordered: false,
      },
    ])
    expect(changesOf(withSlots(night, noon), withSlots(noon, night)).schedules).toMatchObject([
      { slots: [], isReordered: true },
    ])
  })

  test('of hourly limits are listed hour by hour, those of loads by datapoint', () => {
    const { peakShaving } = FILE
    if (!peakShaving) throw new Error('the file of this test shaves peaks')
    const { limitKw: _limit, ...shaving } = peakShaving
    const hours = Array.from({ length: 24 }, () => 80)
    const before = { ...FILE, peakShaving: { ...shaving, hourlyLimitsKw: hours } }
    const after = {
      ...FILE,
      peakShaving: {
        ...shaving,
        hourlyLimitsKw: hours.with(7, 60),
        loads: [{ datapoint: 'Charge power', priority: 2, shedValue: 0 }],
      },
    }
    expect(changesOf(before, after).peakShaving).toEqual({
      change: 'changed',
      fields: [{ field: 'hourlyLimitsKw[7]', from: 80, to: 60 }],
      loads: [{ name: 'Inverter/Charge power', change: 'changed', fields: [{ field: 'priority', from: 1, to: 2 }] }],
      inputs: [],
    })
    expect(changesOf(FILE, before).peakShaving?.fields).toEqual([
      { field: 'limitKw', from: 100, to: undefined },
      { field: 'hourlyLimitsKw', from: undefined, to: hours },
    ])
  })
})

describe('changes of a power limit', () => {
  const limited = (about: object = {}, load: object = {}): CommissioningFile => ({
    ...FILE,
    powerLimit: {
      meter: 'Grid power',
      guaranteedKw: 5,
      loads: [{ datapoint: 'Charge power', kind: 'switching', priority: 1, shedValue: 0, ratedKw: 9, ...load }],
      ...about,
    },
  })

  test('are none when the defaults are written out', () => {
    const contact = { datapoint: 'Grid power', limitKw: 60 }
    const written = { closedValue: 1, debounceSeconds: 2, whenLost: 'closed' }
    const after = limited({ inputs: [{ ...contact, ...written }] }, { minOnSeconds: 0, minOffSeconds: 0 })
    expect(changesOf(limited({ inputs: [contact] }), after)).toMatchObject({ system: 'same', powerLimit: undefined })
  })

  test('are listed by field, load and contact', () => {
    const after = limited({ guaranteedKw: 6, inputs: [{ datapoint: 'Grid power', limitKw: 60 }] }, { ratedKw: 10 })
    expect(changesOf(limited(), after)).toMatchObject({
      system: 'changed',
      powerLimit: {
        change: 'changed',
        fields: [{ field: 'guaranteedKw', from: 5, to: 6 }],
        loads: [{ name: 'Inverter/Charge power', fields: [{ field: 'ratedKw', from: 9, to: 10 }] }],
        inputs: [{ name: 'Inverter/Grid power', change: 'new' }],
      },
    })
    expect(changesOf(limited(), FILE).powerLimit).toMatchObject({ change: 'removed' })
  })

  test('name the storage of a load by field, and are none where a default is written out or its charge is renamed', () => {
    const stores = (storage: object, datapoints = inverter.datapoints) => ({
      ...limited({}, {}),
      ...{ connections: [{ ...inverter, datapoints }] },
      powerLimit: {
        ...{ meter: 'Grid power', guaranteedKw: 5 },
        loads: [
          {
            ...{ datapoint: 'Charge power', kind: 'modulating' as const, priority: 1, minKw: -5, maxKw: 5 },
            storage: { charge: 'Grid power', capacityKwh: 10, lowestPercent: 5, ...storage },
          },
        ],
      },
    })
    expect(changesOf(stores({}), stores({ highestPercent: 100 })).powerLimit).toBeUndefined()
    const renamedGrid = inverter.datapoints.map((one) => (one.name === 'Grid power' ? { ...one, name: 'Grid' } : one))
    const after = stores({ charge: 'Grid' }, renamedGrid)
    const renamedFile = { ...after, powerLimit: { ...after.powerLimit, meter: 'Grid' } }
    expect(changesOf(stores({}), renamedFile).powerLimit).toBeUndefined()
    expect(changesOf(stores({}), stores({ capacityKwh: 20 })).powerLimit?.loads).toMatchObject([
      { fields: [{ field: 'storage.capacityKwh', from: 10, to: 20 }] },
    ])
  })

  test('are none for a new name of a load, a meter or a contact', () => {
    const inputs = [{ datapoint: 'Grid power', limitKw: 60 }]
    const names = {
      ...inverter,
      datapoints: [
        { ...charge, name: 'Power' },
        { ...grid, name: 'Grid' },
      ],
    }
    const after = {
      ...limited({ meter: 'Grid', inputs: [{ datapoint: 'Grid', limitKw: 60 }] }, { datapoint: 'Power' }),
      connections: [names],
    }
    expect(changesOf(limited({ inputs }), after).powerLimit).toBeUndefined()
  })
})

describe('a file that renames', () => {
  const renamed = (connection: string, datapoint: string): CommissioningFile => ({
    ...FILE,
    connections: [{ ...inverter, name: connection, datapoints: [{ ...charge, name: datapoint }, grid] }],
    peakShaving: { meter: 'Grid power', limitKw: 100, loads: [{ datapoint, priority: 1, shedValue: 0 }] },
    schedules: FILE.schedules?.map((schedule) => ({ ...schedule, datapoint })) ?? [],
  })

  test('changes the name of a datapoint, and nothing that refers to it', () => {
    const { connections, schedules, peakShaving } = changesOf(FILE, renamed('Inverter', 'Power'))
    expect(connections).toEqual([
      expect.objectContaining({
        ...{ name: 'Inverter', change: 'changed', fields: [], unchanged: 1 },
        datapoints: [
          { name: 'Power', change: 'changed', fields: [{ field: 'name', from: 'Charge power', to: 'Power' }] },
        ],
      }),
    ])
    expect([schedules, peakShaving]).toEqual([[], undefined])
  })

  test('changes the name of a connection, and none of its datapoints', () => {
    const { connections, schedules, peakShaving } = changesOf(FILE, renamed('Battery', 'Charge power'))
    const fields = [{ field: 'name', from: 'Inverter', to: 'Battery' }]
    expect(connections).toEqual([{ name: 'Battery', change: 'changed', fields, datapoints: [], unchanged: 2 }])
    expect([schedules, peakShaving]).toEqual([[], undefined])
  })
})
