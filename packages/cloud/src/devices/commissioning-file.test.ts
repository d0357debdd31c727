import { readDocument } from '@plantroom/base/document'
import type {
  CommissionedConnection,
  CommissionedDatapoint,
  CommissioningFile,
} from '@plantroom/contract/commissioning'
import { fileProblems } from '@plantroom/contract/commissioning-problems'
import { ACCESS_TYPES, PROTOCOLS, type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commissioningFileOf } from './commissioning-file.ts'
import { layOut } from './lay-out.ts'

const [NOW, LATER] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']

/** As it comes back from the database. */
const stored = (system: TechnicalSystem): TechnicalSystem => JSON.parse(JSON.stringify(system))
const laidOut = (file: CommissioningFile, before?: TechnicalSystem) =>
  stored(layOut(file, { deviceId: 'dev_1', timeZone: 'UTC', before, now: before ? LATER : NOW }))

/** The file of what this one makes, which must make the very same. */
function there(file: CommissioningFile): CommissioningFile {
  expect(fileProblems(file)).toEqual([])
  const system = laidOut(file)
  const written = commissioningFileOf(system)
  expect(fileProblems(written)).toEqual([])
  // With another clock: what is stamped anew has changed.
  expect(laidOut(written, system)).toEqual(system)
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

describe('the file of a system', () => {
  test.each<[string, CommissioningFile]>([
    ['nothing but a name', room([])],
    ['a connection without datapoints', room([link('Meter')])],
    [
      'what says no more than it must',
      room([link('Meter', GRID, point('Power'), point('Go', { accessType: 'WRITE' }))]),
    ],
    [
      'a scaler and an envelope',
      room([link('A', point('P', { scaler: SCALER, writeInputData: { min: -5, max: 5 } }))]),
    ],
    [
      'release values, also of 0',
      room([
        link(
          'A',
          point('P', { releaseValue: 0 }),
          point('Go', { accessType: 'WRITE', releaseValue: -2.5, writeInputData: { min: 0, max: 1 } }),
        ),
      ]),
    ],
    [
      'how often it is archived, told and written',
      room([link('A', point('P', { analyticsInterval: 60, broadcastInterval: 10, writeInterval: 5 }))]),
    ],
    ['a consumption', room([link('A', point('P', { analyticsCalculateConsumption: true }))])],
    ['a consumption of what is only read', room([link('A', { ...GRID, analyticsCalculateConsumption: true })])],
    ['said not to be a consumption', room([link('A', { ...GRID, analyticsCalculateConsumption: false })])],
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
      'peak shaving that has no limit yet',
      room([link('A', GRID, point('Power'))], { peakShaving: { meter: 'Grid', loads: [LOAD] } }),
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
      'names that are used in two connections',
      room([link('East', point('Power'), GRID), link('West', point('Power'))], {
        peakShaving: { meter: 'Grid', loads: [{ ...LOAD, datapoint: 'West/Power' }] },
        schedules: [{ name: 'Week', datapoint: 'East/Power', slots: [SLOT] }],
      }),
    ],
    [
      'names with a slash that read like those of others',
      room([link('a', point('b')), link('x', point('a/b'))], {
        schedules: [
          { name: 'One', datapoint: 'b', slots: [SLOT] },
          { name: 'Other', datapoint: 'x/a/b', slots: [SLOT] },
        ],
      }),
    ],
  ])('makes it again: %s', (_what, file) => {
    there(file)
  })

  test('says what the installer said, and leaves out what goes without saying', () => {
    const file = room(
      [
        link('East', point('Power', { scaler: SCALER, analyticsInterval: 60 }), GRID),
        link('West', point('Power'), point('Limit', { writeInputType: 'number', writeInputData: { min: 0, max: 1 } })),
      ],
      { schedules: [{ name: 'Week', datapoint: 'West/Power', slots: [SLOT] }] },
    )
    expect(there(file)).toEqual(file)
  })

  test('of a system from before there was anything that drives its datapoints has nothing of it', () => {
    const { id, name, connections } = laidOut(room([link('A', point('Power'))]))
    expect(commissioningFileOf({ id, name, connections })).toEqual(room([link('A', point('Power'))]))
  })
})

describe('the file of a system of the demo', () => {
  test.each(['battery-room', 'heat-pump', 'air-handling'])('makes it again: %s', async (name) => {
    const path = new URL(`../../../simulator/demo/${name}.yaml`, import.meta.url).pathname
    const file = (await readDocument(path, 'commissioning file', 'connections')) as CommissioningFile
    expect(laidOut(file).connections.length).toBeGreaterThan(0)
    there(file)
  })
})

describe('the file of whatever was laid out', () => {
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
      const schedule = fc.record({ name, datapoint: reference, slots: fc.array(slot, { minLength: 1, maxLength: 3 }) })
      return fc.record(
        {
          technicalSystem: name,
          connections: fc.constant(connections),
          peakShaving: fc.record(
            { meter: reference, limitKw: number, loads: fc.array(load, { minLength: 1, maxLength: 2 }) },
            { requiredKeys: ['meter', 'loads'] },
          ),
          schedules: fc.array(schedule, { maxLength: 2 }),
        },
        { requiredKeys: ['technicalSystem', 'connections'] },
      )
    })
    .map((made) => mended(JSON.parse(JSON.stringify(made)) as CommissioningFile))

  /** Without what makes it no file: most of what is made up at random refers to something that does not fit. */
  function mended({ peakShaving, schedules, ...rest }: CommissioningFile): CommissioningFile {
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
    const more = [...(peakShaving ? [{ peakShaving }] : []), ...(schedules?.map((one) => ({ schedules: [one] })) ?? [])]
    for (const part of more) {
      const schedules = [...(file.schedules ?? []), ...('schedules' in part ? part.schedules : [])]
      const next = { ...file, ...part, ...(schedules.length > 0 && { schedules }) }
      if (fileProblems(next).length === 0) file = next
    }
    return file
  }

  test('makes it again', () => {
    const seen = { peakShaving: 0, schedules: 0, failsafes: 0 }
    fc.assert(
      fc.property(file, (file) => {
        fc.pre(fileProblems(file).length === 0)
        if (file.peakShaving) seen.peakShaving += 1
        if (file.schedules) seen.schedules += 1
        if (file.connections.some(({ datapoints }) => datapoints.some((one) => one.failsafe))) seen.failsafes += 1
        there(file)
      }),
      { numRuns: 500 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
  })
})
