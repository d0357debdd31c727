import { createLog } from '@plantroom/base/log'
import type { Measurement, MeasurementGap } from '@plantroom/contract/telemetry'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createHistoryStore } from './history-store.ts'
import { readMeasurementBatch } from './measurement-receiver.ts'
import { createMeasurementStore, type DeviceBatch, type MeasurementStore } from './measurement-store.ts'

const START = Date.UTC(2026, 0, 31, 23, 59)
const MINUTE_MS = 60_000

let db: Db
let store: MeasurementStore
/** Each is the store of a process of its own. */
let stores: MeasurementStore[]
let databases: Db[]
let count = 0
/** Every test has devices of its own. */
const newDevice = () => `dev_${++count}`

beforeAll(async () => {
  const connectionString = await createTestDatabase()
  databases = Array.from({ length: 3 }, () => openDatabase({ connectionString }, createLog('test', 'silent')))
  stores = databases.map((each) => createMeasurementStore(each))
  ;[db, store] = [databases[0] as Db, stores[0] as MeasurementStore]
})
afterAll(() => Promise.all(databases.map((each) => each.destroy())))

const batch = (
  deviceId: string,
  measurements: readonly Measurement[],
  gaps: readonly MeasurementGap[] = [],
): DeviceBatch => ({ deviceId, items: { measurements, gaps } })

/** One per minute, starting in the last minute of a month. */
const measured = (count: number, datapointId = 'dp_1'): Measurement[] =>
  Array.from({ length: count }, (_, index) => ({ datapointId, at: START + index * MINUTE_MS, value: index + 0.25 }))

async function all(deviceId: string, datapointId = 'dp_1') {
  const query = { deviceId, datapointId, from: 0, to: Date.UTC(9999, 0) }
  const { measurements } = await createHistoryStore(db).list(query, { after: undefined, limit: 100_000 })
  return measurements.map(({ at, value }) => ({ datapointId, at, value }))
}

describe('stored measurements', () => {
  test('are returned unchanged, to the millisecond', async () => {
    const device = newDevice()
    const measurements = [
      { datapointId: 'dp_1', at: Date.UTC(2000, 0, 1), value: 5e-324 },
      { datapointId: 'dp_1', at: START + 59_999, value: -1.7976931348623157e308 },
      { datapointId: 'dp_1', at: START + 60_000, value: 0.1 + 0.2 },
      { datapointId: 'dp_1', at: Date.UTC(2026, 11, 31, 23, 59, 59, 999), value: 1 },
    ]
    expect(await store.addAll([batch(device, measurements)])).toBe(4)
    expect(await all(device)).toEqual(measurements)
  })

  test('that are almost zero or almost infinite can be summed up', async () => {
    const device = newDevice()
    const values = [5e-324, -5e-324, 1e-315, 1.7e308, 1.7e308]
    await store.addAll([
      batch(
        device,
        values.map((value, index) => ({ datapointId: 'dp_1', at: START + index, value })),
      ),
    ])
    const query = { deviceId: device, datapointId: 'dp_1', from: START, to: START + MINUTE_MS }
    const [point] = await createHistoryStore(db).downsample(query, { ...query, step: 60 })
    const mean = expect.closeTo(6.8e307, -297)
    expect(point).toMatchObject({ at: START, count: 5, min: -5e-324, max: 1.7e308, mean })
  })

  test('are stored once: the first value for a time wins', async () => {
    const device = newDevice()
    const measurements = measured(3)
    expect(await store.addAll([batch(device, measurements)])).toBe(3)
    const again = measurements.map((one) => ({ ...one, value: 99 }))
    expect(await store.addAll([batch(device, [...again, ...again]), batch(device, again)])).toBe(0)
    expect(await all(device)).toEqual(measurements)
  })

  test('of one time may arrive in several batches', async () => {
    const device = newDevice()
    const ids = Array.from({ length: 70 }, (_, index) => `dp_${index}`)
    const measurements = ids.map((datapointId, index) => ({ datapointId, at: START, value: index }))
    expect(await store.addAll([batch(device, measurements.slice(40, 50))])).toBe(10)
    expect(await store.addAll([batch(device, measurements.slice(0, 45)), batch(device, measurements)])).toBe(60)
    for (const one of measurements) expect(await all(device, one.datapointId)).toEqual([one])
    const { rows } = await sql`SELECT max(cardinality(vals)) AS widest FROM measurement_frame`.execute(db)
    expect(rows).toEqual([{ widest: 32 }])
  })

  test('of many devices are stored by concurrent processes, in any order, once', async () => {
    const devices = Array.from({ length: 12 }, newDevice)
    const batches = devices.flatMap((device) => [
      batch(device, measured(30)),
      batch(device, [...measured(40, 'dp_2'), ...measured(40)]),
    ])
    const added = await Promise.all([
      stores[0]?.addAll(batches),
      stores[1]?.addAll(batches.toReversed()),
      ...batches.map((each) => stores[2]?.addAll([each])),
    ])
    expect(added.reduce((sum = 0, one = 0) => sum + one)).toBe(devices.length * 80)
    for (const device of devices) {
      expect(await all(device)).toEqual(measured(40))
      expect(await all(device, 'dp_2')).toEqual(measured(40, 'dp_2'))
    }
  })

  test('are separate from another device with the same datapoint id', async () => {
    const [device, hostile] = [newDevice(), newDevice()]
    const ours = measured(2)
    await store.addAll([
      batch(
        hostile,
        ours.map((one) => ({ ...one, value: -1 })),
      ),
    ])
    expect(await store.addAll([batch(device, ours)])).toBe(2)
    expect(await all(device)).toEqual(ours)
  })

  test('of many devices are all stored or none', async () => {
    const [device, poisoned] = [newDevice(), newDevice()]
    const batches = [batch(device, measured(1)), batch(poisoned, [{ datapointId: 'dp_1', at: 0.5, value: 1 }])]
    await expect(store.addAll(batches)).rejects.toThrow()
    expect(await all(device)).toEqual([])
  })

  test('can be an empty list', async () => {
    expect(await store.addAll([])).toBe(0)
    expect(await store.addAll([batch(newDevice(), [])])).toBe(0)
  })

  test('do not wait for a reader of the whole table, such as a backup', async () => {
    const device = newDevice()
    await store.addAll([batch(device, measured(1))])
    await db.transaction().execute(async (reader) => {
      await sql`SELECT count(*) FROM measurement_frame`.execute(reader)
      expect(await store.addAll([batch(device, measured(5))])).toBe(4)
    })
  })
})

describe('gaps', () => {
  const gap = (from: number, to: number, dropped = 1): MeasurementGap => ({
    from: START + from * MINUTE_MS,
    to: START + to * MINUTE_MS,
    dropped,
  })

  test('are stored once, and listed when they overlap a period', async () => {
    const device = newDevice()
    const gaps = [gap(0, 4), gap(0, 5, 3), gap(6, 7, 4), gap(9, 10), gap(12, 20)]
    await store.addAll([batch(device, [], gaps)])
    await store.addAll([batch(device, measured(1), [...gaps, ...gaps]), batch(newDevice(), [], [gap(6, 6)])])
    const period = { deviceId: device, from: new Date(START + 5 * MINUTE_MS), to: new Date(START + 9 * MINUTE_MS) }
    const found = await store.listGaps(period)
    expect(found.map(({ from, to, dropped }) => ({ from: from.getTime(), to: to.getTime(), dropped }))).toEqual([
      gap(0, 5, 3),
      gap(6, 7, 4),
    ])
  })

  test('that grow stay one gap, which an older version does not shrink', async () => {
    const device = newDevice()
    for (const gaps of [[gap(0, 4, 2)], [gap(0, 9, 5)], [gap(0, 4, 2)]]) await store.addAll([batch(device, [], gaps)])
    const found = await store.listGaps({ deviceId: device, from: new Date(START), to: new Date(START + MINUTE_MS) })
    expect(found).toMatchObject([{ to: new Date(START + 9 * MINUTE_MS), dropped: 5 }])
  })

  test('are stored with their measurements or not at all', async () => {
    const device = newDevice()
    const impossible = { from: START, to: START, dropped: 0.5 }
    await expect(store.addAll([batch(device, measured(1), [impossible])])).rejects.toThrow()
    expect(await all(device)).toEqual([])
  })
})

describe('any batch', () => {
  test('is accepted by the database once it is validated, so that no device is blocked forever', async () => {
    const now = Date.UTC(2026, 0, 15)
    const time = fc.oneof(
      fc.integer({ min: now - 10_000_000, max: now + 100_000_000 }),
      fc.double(),
      fc.maxSafeInteger(),
    )
    const measurement = fc.record({
      datapointId: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constant('dp')),
      at: time,
      value: fc.oneof(fc.double(), fc.constant(null), fc.string()),
    })
    const gap = fc.record({ from: time, to: time, dropped: fc.oneof(fc.maxSafeInteger(), fc.double()) })
    await fc.assert(
      fc.asyncProperty(fc.array(measurement), fc.array(gap), async (measurements, gaps) => {
        const read = readMeasurementBatch(JSON.parse(JSON.stringify({ upTo: 1, measurements, gaps })), now)
        if (read) await store.addAll([{ deviceId: 'dev_any', items: read.items }])
      }),
      { numRuns: 50 },
    )
  })
})
