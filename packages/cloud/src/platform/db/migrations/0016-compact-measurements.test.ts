import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { compactMeasurements } from '../../../control/telemetry/compaction.ts'
import { createHistoryStore } from '../../../control/telemetry/history-store.ts'
import { createMeasurementStore } from '../../../control/telemetry/measurement-store.ts'
import { type Db, openDatabase } from '../database.ts'
import { sql as organizations } from './0001-organizations.ts'
import { sql as measurements } from './0004-measurements.ts'
import { sql as compactMeasurementTables } from './0016-compact-measurements.ts'
import { sql as intervalMeasurements } from './0057-interval-measurements.ts'

const START = Date.UTC(2025, 10, 30, 23)
const STEP_MS = 1_800_000
const DAY_MS = 86_400_000

/** A database with the tables before this migration. */
async function earlierDatabase(): Promise<Db> {
  const { host, port, user } = inject('postgres')
  const database = newId('earlier')
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`)
  await client.end()
  const db = openDatabase({ host, port, user, database }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  for (const text of [organizations, measurements]) await sql.raw(text).execute(db)
  for (const month of ['2025-11', '2025-12', '2026-01']) {
    const first = new Date(`${month}-01T00:00:00Z`)
    const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1))
    const name = `measurement_${month.replace('-', '_')}`
    await sql
      .raw(`CREATE TABLE ${name} PARTITION OF measurement
        FOR VALUES FROM ('${first.toISOString()}') TO ('${next.toISOString()}')`)
      .execute(db)
  }
  return db
}

/** Two devices with the same datapoint ids; one has more of them than a group. Datapoint n is measured every n-th time. */
function measured() {
  const rows: { deviceId: string; datapointId: string; at: number; value: number }[] = []
  for (const [deviceId, datapoints] of [['dev_a', 40] as const, ['dev_b', 3] as const]) {
    for (let datapoint = 1; datapoint <= datapoints; datapoint += 1) {
      for (let index = 0; index < 1600; index += datapoint * 8) {
        const at = START + index * STEP_MS + 1
        rows.push({ deviceId, datapointId: `dp_${datapoint}`, at, value: datapoint + index / 7 })
      }
    }
  }
  return rows
}

test('the values of several months are read as before, once each, also after they are compacted or sent again', async () => {
  const db = await earlierDatabase()
  const rows = measured()
  await sql`
    INSERT INTO measurement SELECT device_id, datapoint_id, to_timestamp(at / 1000), value FROM unnest(
      ${rows.map(({ deviceId }) => deviceId)}::text[], ${rows.map(({ datapointId }) => datapointId)}::text[],
      ${rows.map(({ at }) => at)}::double precision[], ${rows.map(({ value }) => value)}::double precision[]
    ) AS given (device_id, datapoint_id, at, value)`.execute(db)
  // The stores read the columns of the latest migration.
  for (const text of [compactMeasurementTables, intervalMeasurements]) await sql.raw(text).execute(db)

  const history = createHistoryStore(db)
  const asBefore = async () => {
    for (const [deviceId, datapoint] of [
      ['dev_a', 1],
      ['dev_a', 2],
      ['dev_a', 40],
      ['dev_b', 1],
      ['dev_b', 3],
    ] as const) {
      const datapointId = `dp_${datapoint}`
      const query = { deviceId, datapointId, from: 0, to: Date.UTC(9999, 0) }
      const { measurements: found } = await history.list(query, { after: undefined, limit: 100_000 })
      const expected = rows.filter((row) => row.deviceId === deviceId && row.datapointId === datapointId)
      expect(found).toEqual(expected.map(({ at, value }) => ({ at, value, span: null })))
    }
  }
  await asBefore()
  const measurementsOfA = rows.filter(({ deviceId }) => deviceId === 'dev_a')
  const store = createMeasurementStore(db)
  expect(await store.addAll([{ deviceId: 'dev_a', items: { measurements: measurementsOfA, gaps: [] } }])).toBe(0)
  expect(await compactMeasurements(db, { now: START + 40 * DAY_MS })).toBe(rows.length)
  expect((await sql`SELECT FROM measurement_frame`.execute(db)).rows).toEqual([])
  await asBefore()

  const added = [{ datapointId: 'dp_new', at: START, value: 1 }]
  await store.addAll([{ deviceId: 'dev_b', items: { measurements: added, gaps: [] } }])
  await asBefore()
})
