import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { startDuties } from '../../platform/work/index.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { compactMeasurements } from './compaction.ts'
import { findCompacted } from './compaction-store.ts'
import { createHistoryStore } from './history-store.ts'
import { createMeasurementStore } from './measurement-store.ts'
import { deleteExpired, deleteOrphans } from './retention-store.ts'
import { measurementUpkeep } from './upkeep.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const RUN_MS = 600_000
const TODAY = Date.UTC(2026, 5, 15)
const log = createLog('test', 'silent')

let db: Db
beforeAll(async () => {
  db = openDatabase({ connectionString: await createTestDatabase() }, log)
})
afterAll(() => db.destroy())

const DEVICES = `INSERT INTO device (id, organization_id, site_id, name, secret_hash)
  VALUES ('dev_a', 'forgets', 'a', 'A', sha256('a')), ('dev_b', 'keeps', 'b', 'B', sha256('b')) ON CONFLICT DO NOTHING`

beforeEach(async () => {
  await sql
    .raw(`TRUNCATE organization, measurement_series, measurement_frame, measurement_block, measurement_gap CASCADE;
      INSERT INTO organization (id, name, measurement_days) VALUES ('forgets', 'A', 3), ('keeps', 'B', NULL);
      INSERT INTO site (id, organization_id, name) VALUES ('a', 'forgets', 'A'), ('b', 'keeps', 'B');
      ${DEVICES}`)
    .execute(db)
})

/** Two values on each of the last days, and a gap. */
async function measure(deviceId: string, days: number): Promise<void> {
  const measurements = Array.from({ length: 2 * days }, (_, index) => ({
    datapointId: 'dp_1',
    at: TODAY - (index * DAY_MS) / 2,
    value: index,
  }))
  const gaps = [{ from: TODAY - days * DAY_MS, to: TODAY - days * DAY_MS, dropped: 1 }]
  await createMeasurementStore(db).addAll([{ deviceId, items: { measurements, gaps } }])
}

async function kept(deviceId: string): Promise<{ days: number[]; gaps: number }> {
  const query = { deviceId, datapointId: 'dp_1', from: 0, to: TODAY + DAY_MS }
  const { measurements } = await createHistoryStore(db).list(query, { after: undefined, limit: 1000 })
  const gaps = await createMeasurementStore(db).listGaps({ deviceId, from: new Date(0), to: new Date(TODAY) })
  return {
    days: [...new Set(measurements.map(({ at }) => Math.ceil((TODAY - at) / DAY_MS)))].sort(),
    gaps: gaps.length,
  }
}

const framesLeft = async () => (await sql`SELECT FROM measurement_frame`.execute(db)).rows.length

describe('compaction', () => {
  test('moves only days that ended two hours ago', async () => {
    await measure('dev_a', 3)
    await compactMeasurements(db, { now: TODAY + 2 * HOUR_MS - 1 })
    expect(await framesLeft()).toBe(3)
    expect(await compactMeasurements(db, { now: TODAY + 2 * HOUR_MS })).toBe(2)
    expect([await framesLeft(), (await kept('dev_a')).days]).toEqual([1, [0, 1, 2, 3]])
  })

  test('leaves a group to the worker that has it', async () => {
    await measure('dev_a', 3)
    await db.transaction().execute(async (tx) => {
      await compactMeasurements(tx, { now: TODAY + DAY_MS })
      expect(await compactMeasurements(db, { now: TODAY + DAY_MS })).toBe(0)
    })
    expect(await kept('dev_a')).toMatchObject({ days: [0, 1, 2, 3] })
  })

  test('keeps a dense day in parts, without a value twice, also when it is sent again', async () => {
    const measurements = Array.from({ length: 500 }, (_, second) => ({
      datapointId: 'dp_1',
      at: TODAY + second * 1000,
      value: second,
    }))
    const store = createMeasurementStore(db)
    const limits = { maxFrames: 60, maxPartValues: 100 }
    for (const shift of [0, 1000]) {
      const sent = measurements.map((one) => ({ ...one, value: one.value + shift }))
      await store.addAll([{ deviceId: 'dev_a', items: { measurements: sent, gaps: [] } }])
      await compactMeasurements(db, { now: TODAY + 2 * DAY_MS, ...limits })
    }
    const { rows } = await sql<{ count: number }>`SELECT count FROM measurement_block`.execute(db)
    expect(rows.length).toBeGreaterThan(4)
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(500)
    const query = { deviceId: 'dev_a', datapointId: 'dp_1', from: TODAY, to: TODAY + DAY_MS }
    expect(await createHistoryStore(db).downsample(query, { ...query, step: 60 * 60 })).toEqual([
      { at: TODAY, min: 0, mean: 249.5, max: 499, last: 499, count: 500, coverage: null },
    ])
  })

  test('stops between two steps when the worker stops, and continues later', async () => {
    await measure('dev_a', 10)
    const stopped = new AbortController()
    stopped.abort()
    expect(await compactMeasurements(db, { now: TODAY, signal: stopped.signal })).toBe(0)
    expect(await compactMeasurements(db, { now: TODAY + 3 * HOUR_MS })).toBe(19)
  })
})

describe('retention', () => {
  test.each(['frames', 'blocks'])('deletes whole days from %s, of the organization that wants it', async (where) => {
    for (const device of ['dev_a', 'dev_b']) await measure(device, 6)
    if (where === 'blocks') await compactMeasurements(db, { now: TODAY + DAY_MS + 2 * HOUR_MS })
    await deleteExpired(db, { now: TODAY + HOUR_MS })
    expect(await kept('dev_a')).toEqual({ days: [0, 1, 2, 3], gaps: 0 })
    expect(await kept('dev_b')).toEqual({ days: [0, 1, 2, 3, 4, 5, 6], gaps: 1 })
  })

  test('deletes what a removed device left behind after 30 days, and nothing of the others', async () => {
    for (const device of ['dev_a', 'dev_b']) await measure(device, 2)
    await compactMeasurements(db, { now: TODAY })
    await deleteOrphans(db, { now: TODAY })
    await sql`DELETE FROM device WHERE id = 'dev_b'`.execute(db)
    await deleteOrphans(db, { now: TODAY })
    await deleteOrphans(db, { now: TODAY + 30 * DAY_MS - 1 })
    expect((await kept('dev_b')).days).toHaveLength(3)
    await deleteOrphans(db, { now: TODAY + 30 * DAY_MS })
    expect(await kept('dev_b')).toEqual({ days: [], gaps: 0 })
    expect(await kept('dev_a')).toEqual({ days: [0, 1, 2], gaps: 1 })
    const { rows } = await sql`
      SELECT DISTINCT device_id FROM measurement_series UNION ALL SELECT device_id FROM measurement_orphan`.execute(db)
    expect(rows).toEqual([{ device_id: 'dev_a' }])
  })

  test('keeps the measurements of a device that is there again', async () => {
    await measure('dev_b', 2)
    await sql`DELETE FROM device WHERE id = 'dev_b'`.execute(db)
    await deleteOrphans(db, { now: TODAY })
    await sql.raw(DEVICES).execute(db)
    await deleteOrphans(db, { now: TODAY + 60 * DAY_MS })
    expect((await kept('dev_b')).days).toHaveLength(3)
  })
})

test('the upkeep runs at the start and every ten minutes until it is stopped', async () => {
  await measure('dev_a', 6)
  const clock = createManualClock(TODAY + 3 * HOUR_MS)
  const running = await startDuties({ db, clock, log }, [measurementUpkeep({ db, clock, log })])
  await eventually(async () => expect(await findCompacted(db)).toEqual(new Date(clock.now())))
  expect([await framesLeft(), await kept('dev_a')]).toEqual([1, { days: [0, 1, 2, 3], gaps: 0 }])
  await clock.advance(DAY_MS)
  // The current run may have started before the day was due. In that case, the next run compacts it.
  await eventually(async () => {
    await clock.advance(RUN_MS)
    expect(await framesLeft()).toBe(0)
  })
  await running.stop()
  expect(clock.waiting()).toEqual([])
})
