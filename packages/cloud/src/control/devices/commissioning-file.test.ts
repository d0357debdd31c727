import { readDocument } from '@plantroom/base/document'
import {
  type CommissionedConnection,
  type CommissionedDatapoint,
  type CommissioningFile,
  fileProblems,
} from '@plantroom/contract/commissioning'
import { ACCESS_TYPES, type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { PROTOCOLS } from '@plantroom/contract/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commissioningFileOf } from './commissioning-file.ts'
import { buildTechnicalSystem } from './technical-system.ts'

const [NOW, LATER] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']

/** The system as the database returns it. */
const stored = (system: TechnicalSystem): TechnicalSystem => JSON.parse(JSON.stringify(system))
const built = (file: CommissioningFile, before?: TechnicalSystem) =>
  stored(buildTechnicalSystem(file, { deviceId: 'dev_1', timeZone: 'UTC', before, now: before ? LATER : NOW }))

/** Builds a system from a file and exports it; the exported file must build the same system. */
function roundTrip(file: CommissioningFile): CommissioningFile {
  expect(fileProblems(file)).toEqual([])
  const system = built(file)
  const written = commissioningFileOf(system)
  expect(fileProblems(written)).toEqual([])
  // Built at a later time, so that a changed datapoint would have a new timestamp.
  expect(built(written, system)).toEqual(system)
  return written
}

const point = (name: string, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name,
  accessType: 'READ_WRITE',
  data: {},
  ...about,
})
const link = (name: string, ...datapoints: CommissionedDatapoint[]): CommissionedConnection => ({
  name,
  protocol: 'modbus-tcp',
  settings: { host: '10.0.0.5' },
  datapoints,
})
const room = (connections: CommissionedConnection[], control: Partial<CommissioningFile> = {}): CommissioningFile => ({
  technicalSystem: 'Room',
  connections,
  ...control,
})

const GRID = point('Grid', { accessType: 'READ' })
const LOAD = { datapoint: 'Power', priority: 1, shedValue: 0 }
const SLOT = { days: ['mon', 'sun'], from: '07:00', to: '24:00', mode: 'offset', value: -2 } as const
const SCALER = { inputValue1: 0, outputValue1: 0, inputValue2: 100, outputValue2: 1000 }

describe('the exported file of a system', () => {
  test.each<[string, CommissioningFile]>([
    ['only a name', room([])],
    ['a connection without datapoints', room([link('Meter')])],
    ['only required fields', room([link('Meter', GRID, point('Power'), point('Go', { accessType: 'WRITE' }))])],
    [
      'a scaler and an envelope',
      room([link('A', point('P', { scaler: SCALER, writeInputData: { min: -5, max: 5 } }))]),
    ],
    [
      'release values, including 0',
      room([
        link(
          'A',
          point('P', { releaseValue: 0 }),
          point('Go', { accessType: 'WRITE', releaseValue: -2.5, writeInputData: { min: 0, max: 1 } }),
        ),
      ]),
    ],
    [
      'a unit, a kind and tags',
      room([link('A', { ...GRID, unit: '°C' }, point('P', { unit: 'kW', kind: 'setpoint', tags: ['b.p', 'a'] }))]),
    ],
    ['limits', room([link('A', point('P', { limits: { min: 0, max: 5, maxStepPerMinute: 1, maxStartsPerDay: 3 } }))])],
    [
      'intervals for archiving, broadcasting and writing',
      room([link('A', point('P', { analyticsInterval: 60, broadcastInterval: 10, writeInterval: 5 }))]),
    ],
    ['a consumption', room([link('A', point('P', { analyticsCalculateConsumption: true }))])],
    ['a consumption of a read-only datapoint', room([link('A', { ...GRID, analyticsCalculateConsumption: true })])],
    ['an explicit absence of consumption', room([link('A', { ...GRID, analyticsCalculateConsumption: false })])],
    [
      'failsafes of both kinds',
      room([
        link(
          'A',
          point('Power', { failsafe: { reversion: 'Reverts', seconds: 60 } }),
          point('Reverts', { accessType: 'WRITE' }),
          point('Limit', { failsafe: { heartbeat: 'Alive', seconds: 5 } }),
          point('Alive'),
        ),
      ]),
    ],
    [
      'peak shaving with a limit',
      room([link('A', GRID, point('Power'))], {
        peakShaving: { meter: 'Grid', limitKw: 50, hysteresisKw: 5, cycleSeconds: 30, loads: [LOAD] },
      }),
    ],
    [
      'peak shaving with hourly limits',
      room([link('A', GRID, point('Power'))], {
        peakShaving: {
          meter: 'Grid',
          hourlyLimitsKw: Array.from({ length: 24 }, (_, hour) => hour),
          loads: [{ ...LOAD, minOnSeconds: 5, minOffSeconds: 7 }],
        },
      }),
    ],
    [
      'peak shaving without a limit',
      room([link('A', GRID, point('Power'))], { peakShaving: { meter: 'Grid', loads: [LOAD] } }),
    ],
    [
      'a power limit',
      room([link('A', { ...GRID, unit: 'W' }, point('Power'), point('K1'))], {
        powerLimit: { meter: 'Grid', guaranteedKw: 4.2, loads: [{ ...LOAD, kind: 'switching', ratedKw: 9 }] },
      }),
    ],
    [
      'a power limit with everything',
      room(
        [link('A', GRID, point('Power'), point('Store'), point('Charge'), point('Boiler'), point('K1'), point('K2'))],
        {
          powerLimit: {
            meter: 'Grid',
            guaranteedKw: 0,
            connectionKw: 30,
            fallback: { importKw: 30, exportKw: 0 },
            loads: [
              { datapoint: 'Power', kind: 'modulating', priority: 1, minKw: -50, maxKw: 50 },
              {
                ...{ datapoint: 'Store', kind: 'modulating', priority: 1, minKw: -9, maxKw: 9 },
                storage: { charge: 'Charge', capacityKwh: 20, lowestPercent: 5, highestPercent: 95 },
              },
              { ...LOAD, datapoint: 'Boiler', kind: 'switching', ratedKw: 9, minOnSeconds: 300, minOffSeconds: 60 },
            ],
            inputs: [
              { datapoint: 'K1', limitPercent: 60 },
              { datapoint: 'K2', limitKw: 0, closedValue: 0, debounceSeconds: 5, whenLost: 'open' },
            ],
          },
        },
      ),
    ],
    [
      'schedules',
      room([link('A', point('Power'), point('Limit'))], {
        schedules: [
          { name: 'Week', datapoint: 'Power', slots: [SLOT] },
          { name: 'Other', datapoint: 'Limit', slots: [{ days: [...WEEKDAYS], from: '22:00', to: '06:00', value: 1 }] },
        ],
      }),
    ],
    [
      'names that occur in two connections',
      room([link('East', point('Power'), GRID), link('West', point('Power'))], {
        peakShaving: { meter: 'Grid', loads: [{ ...LOAD, datapoint: 'West/Power' }] },
        schedules: [{ name: 'Week', datapoint: 'East/Power', slots: [SLOT] }],
      }),
    ],
    [
      'names with a slash that look like references to others',
      room([link('a', point('b')), link('x', point('a/b'))], {
        schedules: [
          { name: 'One', datapoint: 'b', slots: [SLOT] },
          { name: 'Other', datapoint: 'x/a/b', slots: [SLOT] },
        ],
      }),
    ],
  ])('builds the same system: %s', (_what, file) => {
    roundTrip(file)
  })

  test('contains what the installer wrote and omits defaults', () => {
    const file = room(
      [
        link('East', point('Power', { scaler: SCALER, analyticsInterval: 60 }), GRID),
        link('West', point('Power'), point('Limit', { writeInputType: 'number', writeInputData: { min: 0, max: 1 } })),
      ],
      { schedules: [{ name: 'Week', datapoint: 'West/Power', slots: [SLOT] }] },
    )
    expect(roundTrip(file)).toEqual(file)
  })

  test('has no control section when the system has none', () => {
    const { id, name, connections } = built(room([link('A', point('Power'))]))
    expect(commissioningFileOf({ id, name, connections })).toEqual(room([link('A', point('Power'))]))
  })
})

describe('the exported file of a demo system', () => {
  test.each(['battery-room', 'heat-pump', 'air-handling'])('builds the same system: %s', async (name) => {
    const path = new URL(`../../../../simulator/demo/${name}.yaml`, import.meta.url).pathname
    const file = (await readDocument(path, 'commissioning file', 'connections')) as CommissioningFile
    expect(built(file).connections.length).toBeGreaterThan(0)
    roundTrip(file)
  })
})

describe('the exported file of any system', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', 'c', 'a/b', 'b/c', 'x/a/b'), fc.string({ minLength: 1 }))
  const fields = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 })
  const seconds = fc.integer({ min: 0, max: 86_400 })
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
  const failsafe = fc.oneof(
    fc.record({ reversion: name, seconds: fc.constant(60) }),
    fc.record({ heartbeat: name, seconds: fc.constant(5) }),
  )
  const datapoint = fc.record(
    {
      name,
      accessType: fc.constantFrom(...ACCESS_TYPES),
      analyticsInterval: seconds,
      analyticsCalculateConsumption: fc.boolean(),
      broadcastInterval: seconds,
      writeInterval: seconds,
      scaler: fc.record({ inputValue1: number, outputValue1: number, inputValue2: number, outputValue2: number }),
      failsafe,
      data: fields,
    },
    { requiredKeys: ['name', 'accessType', 'data'] },
  )
  const connection = fc.record({
    name,
    protocol: fc.constantFrom(...PROTOCOLS),
    settings: fields,
    datapoints: fc.uniqueArray(datapoint, { selector: (one) => one.name, maxLength: 4 }),
  })
  const slot = fc.record({
    days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
    from: fc.constantFrom('00:00', '07:30'),
    to: fc.constantFrom('06:00', '24:00'),
    mode: fc.constantFrom('absolute', 'offset'),
    value: number,
  })
  const file = fc
    .record({ connections: fc.uniqueArray(connection, { selector: (one) => one.name, maxLength: 3 }) })
    .chain(({ connections }) => {
      const names = connections.flatMap((one) =>
        one.datapoints.flatMap((point) => [point.name, `${one.name}/${point.name}`]),
      )
      const reference = fc.constantFrom('none', ...names)
      const load = fc.record({ datapoint: reference, priority: fc.nat(9), shedValue: number, minOnSeconds: seconds })
      const limitLoad = fc.oneof(
        load.map((one) => ({ ...one, kind: 'switching', ratedKw: 9 })),
        fc.record({
          ...{ datapoint: reference, kind: fc.constant('modulating'), priority: fc.nat(9) },
          ...{ minKw: fc.integer({ min: -9, max: 0 }), maxKw: fc.nat(9) },
        }),
      )
      const schedule = fc.record({ name, datapoint: reference, slots: fc.array(slot, { minLength: 1, maxLength: 3 }) })
      return fc.record(
        {
          technicalSystem: name,
          connections: fc.constant(connections),
          peakShaving: fc.record(
            { meter: reference, limitKw: number, loads: fc.array(load, { minLength: 1, maxLength: 2 }) },
            { requiredKeys: ['meter', 'loads'] },
          ),
          powerLimit: fc.record(
            {
              ...{ meter: reference, guaranteedKw: fc.nat(9), connectionKw: fc.integer({ min: 10, max: 99 }) },
              loads: fc.array(limitLoad, { minLength: 1, maxLength: 2 }),
              inputs: fc.array(fc.record({ datapoint: reference, limitPercent: fc.nat(100) }), { maxLength: 2 }),
            },
            { requiredKeys: ['meter', 'guaranteedKw', 'loads'] },
          ),
          schedules: fc.array(schedule, { maxLength: 2 }),
        },
        { requiredKeys: ['technicalSystem', 'connections'] },
      )
    })
    .map((made) => repaired(JSON.parse(JSON.stringify(made)) as CommissioningFile))

  /** Removes invalid parts: most random references do not fit. */
  function repaired({ peakShaving, powerLimit, schedules, ...rest }: CommissioningFile): CommissioningFile {
    const connections = rest.connections.map((one) => ({
      ...one,
      datapoints: one.datapoints.map((point, d) => {
        const { failsafe, scaler, ...plain } = point
        const kept = { ...plain, ...(scaler && { scaler }), ...(failsafe && { failsafe }) }
        const alone = { ...rest, connections: [{ ...one, datapoints: one.datapoints.with(d, kept) }] }
        return fileProblems(alone).some(({ path }) => path.startsWith(`connections[0].datapoints[${d}]`)) ? plain : kept
      }),
    }))
    let file: CommissioningFile = { ...rest, connections }
    const more = [
      ...(peakShaving ? [{ peakShaving }] : []),
      ...(powerLimit ? [{ powerLimit }] : []),
      ...(schedules?.map((one) => ({ schedules: [one] })) ?? []),
    ]
    for (const part of more) {
      const schedules = [...(file.schedules ?? []), ...('schedules' in part ? part.schedules : [])]
      const next = { ...file, ...part, ...(schedules.length > 0 && { schedules }) }
      if (fileProblems(next).length === 0) file = next
    }
    return file
  }

  test('builds the same system', () => {
    const seen = { peakShaving: 0, powerLimit: 0, schedules: 0, failsafes: 0 }
    fc.assert(
      fc.property(file, (file) => {
        fc.pre(fileProblems(file).length === 0)
        if (file.peakShaving) seen.peakShaving += 1
        if (file.powerLimit) seen.powerLimit += 1
        if (file.schedules) seen.schedules += 1
        if (file.connections.some(({ datapoints }) => datapoints.some((one) => one.failsafe))) seen.failsafes += 1
        roundTrip(file)
      }),
      { numRuns: 500 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })
})
