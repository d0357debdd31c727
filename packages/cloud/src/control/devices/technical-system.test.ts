import type {
  CommissionedConnection,
  CommissionedDatapoint,
  CommissioningFile,
} from '@plantroom/contract/commissioning'
import { ACCESS_TYPES, type Datapoint, type TechnicalSystem } from '@plantroom/contract/datapoint'
import { PROTOCOLS } from '@plantroom/contract/protocols'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildTechnicalSystem as buildOn } from './technical-system.ts'

const [DEVICE, NOW, LATER] = ['dev_1', '2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z']

// Names that a careless separator would confuse, and any others.
const name = fc.oneof(fc.constantFrom('a', 'b', 'a/b', 'a","b', 'A', ' a', 'ä', 'a\u0308'), fc.string({ minLength: 1 }))
const fields = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
const seconds = fc.integer({ min: 0, max: 86_400 })
const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

const datapoint: fc.Arbitrary<CommissionedDatapoint> = fc.record(
  {
    name,
    accessType: fc.constantFrom(...ACCESS_TYPES),
    writeInputType: fc.constant('number' as const),
    writeInputData: fc.record({ min: finite, max: finite }),
    releaseValue: finite,
    limits: fc.record({ min: finite, max: finite, minOnSeconds: seconds }, { requiredKeys: [] }),
    analyticsInterval: seconds,
    analyticsCalculateConsumption: fc.boolean(),
    broadcastInterval: seconds,
    writeInterval: seconds,
    scaler: fc.record({ inputValue1: finite, outputValue1: finite, inputValue2: finite, outputValue2: finite }),
    data: fields,
  },
  { requiredKeys: ['name', 'accessType', 'data'] },
)
const connection: fc.Arbitrary<CommissionedConnection> = fc.record({
  name,
  protocol: fc.constantFrom(...PROTOCOLS),
  settings: fields,
  datapoints: fc.uniqueArray(datapoint, { selector: (one) => one.name, maxLength: 5 }),
})
const file: fc.Arbitrary<CommissioningFile> = fc
  .record({
    technicalSystem: name,
    connections: fc.uniqueArray(connection, { selector: (one) => one.name, maxLength: 4 }),
  })
  .map((written) => JSON.parse(JSON.stringify(written)))

/** The system as the database returns it. */
const stored = (system: TechnicalSystem): TechnicalSystem => JSON.parse(JSON.stringify(system))
const buildTechnicalSystem = (
  commissioned: CommissioningFile,
  deviceId: string,
  before: TechnicalSystem | undefined,
  now: string,
  timeZone = 'UTC',
) => buildOn(commissioned, { deviceId, timeZone, before, now })
const datapointsOf = (system: TechnicalSystem) => system.connections.flatMap((connection) => connection.datapoints)

function single(commissioned: Partial<CommissionedDatapoint>): CommissioningFile {
  const point: CommissionedDatapoint = { name: 'Point', accessType: 'READ', data: {}, ...commissioned }
  return {
    technicalSystem: 'System',
    connections: [{ name: 'Connection', protocol: 'mqtt', settings: {}, datapoints: [point] }],
  }
}

const onlyPoint = (system: TechnicalSystem) => datapointsOf(system)[0] as Datapoint

describe('loading the same file again', () => {
  test('builds the same system with the same ids and timestamps', () => {
    fc.assert(
      fc.property(file, (commissioned) => {
        const first = buildTechnicalSystem(commissioned, DEVICE, undefined, NOW)
        expect(stored(buildTechnicalSystem(commissioned, DEVICE, stored(first), LATER))).toEqual(stored(first))
      }),
    )
  })

  test('builds the same system with a negative zero, which the database does not store', () => {
    const commissioned = single({ accessType: 'READ_WRITE', writeInputData: { min: -0, max: 5 }, data: { offset: -0 } })
    const first = buildTechnicalSystem(commissioned, DEVICE, undefined, NOW)
    expect(onlyPoint(buildTechnicalSystem(commissioned, DEVICE, stored(first), LATER)).updatedAt).toBe(NOW)
  })

  test('gives the same ids without the previous system', () => {
    fc.assert(
      fc.property(file, (commissioned) => {
        const ids = (system: TechnicalSystem) => datapointsOf(system).map(({ id, connectionId }) => [id, connectionId])
        expect(ids(buildTechnicalSystem(commissioned, DEVICE, undefined, LATER))).toEqual(
          ids(buildTechnicalSystem(commissioned, DEVICE, undefined, NOW)),
        )
      }),
    )
  })
})

describe('the ids of a system', () => {
  const idsOf = (system: TechnicalSystem) => [
    system.id,
    ...system.connections.map(({ id }) => id),
    ...datapointsOf(system).map(({ id }) => id),
  ]

  test('are unique and have the prefix of their kind', () => {
    fc.assert(
      fc.property(file, (commissioned) => {
        const ids = idsOf(buildTechnicalSystem(commissioned, DEVICE, undefined, NOW))
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).toMatch(/^(sys|con|dp)_[0-9a-z]{20}$/)
      }),
    )
  })

  test('differ between devices and between systems', () => {
    fc.assert(
      fc.property(file, (commissioned) => {
        const ours = idsOf(buildTechnicalSystem(commissioned, DEVICE, undefined, NOW))
        const elsewhere = idsOf(buildTechnicalSystem(commissioned, 'dev_2', undefined, NOW))
        const renamed = { ...commissioned, technicalSystem: `${commissioned.technicalSystem}!` }
        const otherSystem = idsOf(buildTechnicalSystem(renamed, DEVICE, undefined, NOW))
        expect(new Set([...ours, ...elsewhere, ...otherSystem]).size).toBe(3 * ours.length)
      }),
    )
  })

  test('link each datapoint to its connection', () => {
    fc.assert(
      fc.property(file, (commissioned) => {
        for (const { id, datapoints } of buildTechnicalSystem(commissioned, DEVICE, undefined, NOW).connections) {
          expect(datapoints.every(({ connectionId }) => connectionId === id)).toBe(true)
        }
      }),
    )
  })
})

describe('a changed file', () => {
  test('updates the timestamp of the changed datapoint only', () => {
    const filled = file.filter(({ connections }) => connections.some(({ datapoints }) => datapoints.length > 0))
    fc.assert(
      fc.property(filled, fc.nat(), (commissioned, choice) => {
        const first = stored(buildTechnicalSystem(commissioned, DEVICE, undefined, NOW))
        const all = datapointsOf(first)
        const chosen = all[choice % all.length]?.id
        let index = -1
        const changed = {
          ...commissioned,
          connections: commissioned.connections.map((connection) => ({
            ...connection,
            datapoints: connection.datapoints.map((point) => {
              index += 1
              return all[index]?.id === chosen ? { ...point, data: { ...point.data, changed: 'by this test' } } : point
            }),
          })),
        }
        for (const point of datapointsOf(buildTechnicalSystem(changed, DEVICE, first, LATER))) {
          expect([point.createdAt, point.updatedAt]).toEqual([NOW, point.id === chosen ? LATER : NOW])
        }
      }),
    )
  })

  test('updates no timestamp when only the order changed', () => {
    fc.assert(
      fc.property(file, (commissioned) => {
        const first = stored(buildTechnicalSystem(commissioned, DEVICE, undefined, NOW))
        const reversed = {
          ...commissioned,
          connections: commissioned.connections
            .map((connection) => ({ ...connection, datapoints: connection.datapoints.toReversed() }))
            .toReversed(),
        }
        const times = datapointsOf(buildTechnicalSystem(reversed, DEVICE, first, LATER)).map(
          ({ updatedAt }) => updatedAt,
        )
        expect(times.every((time) => time === NOW)).toBe(true)
      }),
    )
  })

  test('keeps the id of a renamed datapoint, and when it was created', () => {
    const first = buildTechnicalSystem(single({ name: 'Before' }), DEVICE, undefined, NOW)
    const renamed = buildTechnicalSystem(single({ name: 'After' }), DEVICE, stored(first), LATER)
    expect(onlyPoint(renamed)).toMatchObject({ id: onlyPoint(first).id, createdAt: NOW, updatedAt: LATER })
  })

  test('replaces a datapoint by a new one when its name and its address change', () => {
    const first = buildTechnicalSystem(single({ name: 'Before' }), DEVICE, undefined, NOW)
    const other = buildTechnicalSystem(single({ name: 'After', data: { x: 1 } }), DEVICE, stored(first), LATER)
    expect(datapointsOf(other)).toHaveLength(1)
    expect(onlyPoint(other).id).not.toBe(onlyPoint(first).id)
    expect(onlyPoint(other).createdAt).toBe(LATER)
  })
})

describe('a datapoint with only required fields', () => {
  const always = {
    analyticsInterval: 0,
    broadcastInterval: 0,
    writeInterval: 0,
    cloudScheduleId: null,
    scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 },
    alarmData: null,
  }
  const writable = {
    writeInputType: 'number',
    writeInputData: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
    analyticsCalculateConsumption: false,
  }

  test.each([
    ['READ', always],
    ['READ_WRITE', { ...always, ...writable }],
    ['WRITE', { ...always, ...writable }],
  ] as const)('gets defaults for the rest: %s', (accessType, rest) => {
    const point = onlyPoint(buildTechnicalSystem(single({ accessType, data: { register: 7 } }), DEVICE, undefined, NOW))
    const { id, connectionId, ...others } = point
    const given = { name: 'Point', accessType, data: { register: 7 } }
    expect(others).toEqual({ ...given, ...rest, createdAt: NOW, updatedAt: NOW })
  })
})

describe('a file without connections', () => {
  test('builds a system without connections', () => {
    const empty = buildTechnicalSystem({ technicalSystem: 'System', connections: [] }, DEVICE, undefined, NOW)
    expect(empty).toMatchObject({ name: 'System', connections: [] })
  })
})
