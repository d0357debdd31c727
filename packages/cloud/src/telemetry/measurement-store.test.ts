import { createLog } from '@plantroom/base/log'
import type { Measurement, MeasurementGap } from '@plantroom/contract/telemetry'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '../db/database.ts'
import { createTestDatabase } from '../testing/database.ts'
import { readMeasurementBatch } from './measurement-receiver.ts'
import { createMeasurementStore, type MeasurementStore } from './measurement-store.ts'

const START = Date.UTC(2026, 0, 31, 23, 59)
const MINUTE_MS = 60_000
const DEVICE = 'dev_1'

async function open(processes = 1): Promise<{ db: Db; stores: MeasurementStore[]; store: MeasurementStore }> {
  const connectionString = await createTestDatabase()
  const databases = Array.from({ length: processes }, () =>
    openDatabase({ connectionString }, createLog('test', 'silent')),
  )
  onTestFinished(async () => void (await Promise.all(databases.map((db) => db.destroy()))))
  const stores = databases.map((db) => createMeasurementStore(db))
  return { db: databases[0] as Db, stores, store: stores[0] as MeasurementStore }
}

/** One per minute, starting in the last minute of a month. */
const measured = (count: number, datapointId = 'dp_1'): Measurement[] =>
  Array.from({ length: count }, (_, index) => ({ datapointId, at: START + index * MINUTE_MS, value: index + 0.25 }))

async function all(store: MeasurementStore, datapointId = 'dp_1', deviceId = DEVICE) {
  const period = { deviceId, from: new Date(0), to: new Date(Date.UTC(9999, 0)) }
  const { measurements } = await store.list(period, datapointId, { after: undefined, limit: 100_000 })
  return measurements.map(({ at, value }) => ({ datapointId, at: at.getTime(), value }))
}

async function partitions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'measurement'::regclass ORDER BY 1`.execute(db)
  return rows.map(({ name }) => name)
}

describe('stored measurements', () => {
  test('are returned unchanged, to the millisecond, and each month has a partition', async () => {
    const { db, store } = await open()
    const measurements = [
      { datapointId: 'dp_1', at: Date.UTC(2000, 0, 1), value: 5e-324 },
      { datapointId: 'dp_1', at: START + 59_999, value: -1.7976931348623157e308 },
      { datapointId: 'dp_1', at: START + 60_000, value: 0.1 + 0.2 },
      { datapointId: 'dp_1', at: Date.UTC(2026, 11, 31, 23, 59, 59, 999), value: 1 },
    ]
    expect(await store.add(DEVICE, { measurements, gaps: [] })).toBe(4)
    expect(await all(store)).toEqual(measurements)
    expect(await partitions(db)).toEqual(['2000_01', '2026_01', '2026_02', '2026_12'].map((m) => `measurement_${m}`))
    const { rows } = await sql`SELECT tableoid::regclass::text AS name FROM measurement ORDER BY at`.execute(db)
    expect(rows).toEqual(['2000_01', '2026_01', '2026_02', '2026_12'].map((m) => ({ name: `measurement_${m}` })))
  })

  test('are stored once: the first value for a time wins', async () => {
    const { store } = await open()
    const measurements = measured(3)
    expect(await store.add(DEVICE, { measurements, gaps: [] })).toBe(3)
    const again = measurements.map((one) => ({ ...one, value: 99 }))
    expect(await store.add(DEVICE, { measurements: [...again, ...again], gaps: [] })).toBe(0)
    expect(await all(store)).toEqual(measurements)
  })

  test('are stored once by concurrent processes that all need missing partitions', async () => {
    const { db, stores, store } = await open(3)
    const measurements = Array.from({ length: 24 }, (_, month) => ({
      datapointId: 'dp_1',
      at: Date.UTC(2024, month, 15),
      value: month,
    }))
    const added = await Promise.all(stores.map((one) => one.add(DEVICE, { measurements, gaps: [] })))
    expect(added.reduce((sum, count) => sum + count)).toBe(24)
    expect(await all(store)).toEqual(measurements)
    expect(await partitions(db)).toHaveLength(24)
  })

  test('are separate from another device with the same datapoint id', async () => {
    const { store } = await open()
    const ours = measured(2)
    const hostile = ours.map((one) => ({ ...one, value: -1 }))
    await store.add('dev_hostile', { measurements: hostile, gaps: [] })
    expect(await store.add(DEVICE, { measurements: ours, gaps: [] })).toBe(2)
    expect(await all(store)).toEqual(ours)
  })

  test('can be an empty list', async () => {
    const { store } = await open()
    expect(await store.add(DEVICE, { measurements: [], gaps: [] })).toBe(0)
  })

  test('do not wait for a reader of the whole table, such as a backup', async () => {
    const { db, store } = await open(1)
    await store.add(DEVICE, { measurements: measured(1), gaps: [] })
    await db.transaction().execute(async (reader) => {
      await sql`SELECT count(*) FROM measurement`.execute(reader)
      expect(await store.add(DEVICE, { measurements: measured(5), gaps: [] })).toBe(4)
    })
  })

  test('can be stored again after a month was dropped: the second attempt recreates it', async () => {
    const { db, store } = await open()
    await store.add(DEVICE, { measurements: measured(1), gaps: [] })
    await sql`DROP TABLE measurement_2026_01`.execute(db)
    await expect(store.add(DEVICE, { measurements: measured(1), gaps: [] })).rejects.toThrow('no partition')
    expect(await store.add(DEVICE, { measurements: measured(1), gaps: [] })).toBe(1)
  })

  test('are read page by page, from inclusive to exclusive', async () => {
    const { store } = await open()
    const measurements = measured(10)
    await store.add(DEVICE, { measurements: [...measurements, ...measured(10, 'dp_2')], gaps: [] })
    const period = { deviceId: DEVICE, from: new Date(START + MINUTE_MS), to: new Date(START + 8 * MINUTE_MS) }
    const pages: number[][] = []
    let after: number | undefined
    do {
      const page = await store.list(period, 'dp_1', { after, limit: 3 })
      pages.push(page.measurements.map(({ value }) => Math.floor(value)))
      after = page.next ?? undefined
    } while (after !== undefined)
    expect(pages).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  })
})

describe('gaps', () => {
  const gap = (from: number, to: number, dropped = 1): MeasurementGap => ({
    from: START + from * MINUTE_MS,
    to: START + to * MINUTE_MS,
    dropped,
  })

  test('are stored once, and listed when they overlap a period', async () => {
    const { store } = await open()
    const gaps = [gap(0, 4), gap(0, 5, 3), gap(6, 7, 4), gap(9, 10), gap(12, 20)]
    await store.add(DEVICE, { measurements: [], gaps })
    await store.add(DEVICE, { measurements: measured(1), gaps: [...gaps, ...gaps] })
    await store.add('dev_2', { measurements: [], gaps: [gap(6, 6)] })
    const period = { deviceId: DEVICE, from: new Date(START + 5 * MINUTE_MS), to: new Date(START + 9 * MINUTE_MS) }
    const found = await store.listGaps(period)
    expect(found.map(({ from, to, dropped }) => ({ from: from.getTime(), to: to.getTime(), dropped }))).toEqual([
      gap(0, 5, 3),
      gap(6, 7, 4),
    ])
  })

  test('that grow stay one gap, which an older version does not shrink', async () => {
    const { store } = await open()
    for (const gaps of [[gap(0, 4, 2)], [gap(0, 9, 5)], [gap(0, 4, 2)]]) {
      await store.add(DEVICE, { measurements: [], gaps })
    }
    const found = await store.listGaps({ deviceId: DEVICE, from: new Date(START), to: new Date(START + MINUTE_MS) })
    expect(found).toMatchObject([{ to: new Date(START + 9 * MINUTE_MS), dropped: 5 }])
  })

  test('are stored with their measurements or not at all', async () => {
    const { db, store } = await open()
    await store.add(DEVICE, { measurements: measured(1), gaps: [] })
    await sql`DROP TABLE measurement_2026_01`.execute(db)
    await expect(store.add(DEVICE, { measurements: measured(1), gaps: [gap(0, 1)] })).rejects.toThrow('no partition')
    expect(await sql`SELECT * FROM measurement_gap`.execute(db)).toMatchObject({ rows: [] })
  })
})

describe('any batch', () => {
  test('is accepted by the database once it is validated, so that no device is blocked forever', async () => {
    const { store } = await open()
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
        const batch = readMeasurementBatch(JSON.parse(JSON.stringify({ upTo: 1, measurements, gaps })), now)
        if (batch) await store.add('dev_1', batch.items)
      }),
      { numRuns: 100 },
    )
  })
})
