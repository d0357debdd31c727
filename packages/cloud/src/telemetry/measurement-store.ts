import type { Measurement, MeasurementGap } from '@plantroom/contract/telemetry'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A period in the history of a device; `from` is inclusive, `to` exclusive. */
interface Period {
  deviceId: string
  from: Date
  to: Date
}

interface MeasurementPage {
  measurements: { at: Date; value: number }[]
  /** The `after` of the next page; `null` on the last page. */
  next: number | null
}

const MAX_GAPS = 1000

export type MeasurementStore = ReturnType<typeof createMeasurementStore>

export function createMeasurementStore(db: Db) {
  const partitions = createPartitionStore(db)

  return {
    /** Stores all measurements and gaps, each once, or none. Resolves with the number of new measurements. */
    async add(
      deviceId: string,
      { measurements, gaps }: { measurements: readonly Measurement[]; gaps: readonly MeasurementGap[] },
    ): Promise<number> {
      await partitions.ensure(measurements.map(({ at }) => at))
      return db
        .transaction()
        .execute(async (tx) => {
          if (gaps.length > 0) await insertGaps(tx, deviceId, gaps)
          return measurements.length > 0 ? insertMeasurements(tx, deviceId, measurements) : 0
        })
        .catch((error: unknown) => {
          partitions.forget()
          throw error
        })
    },

    /** Lists measurements, oldest first, later than `after` milliseconds since 1970. */
    async list(
      { deviceId, from, to }: Period,
      datapointId: string,
      page: { after: number | undefined; limit: number },
    ): Promise<MeasurementPage> {
      let rows = db
        .selectFrom('measurement')
        .where('device_id', '=', deviceId)
        .where('datapoint_id', '=', datapointId)
        .where('at', '>=', from)
        .where('at', '<', to)
      if (page.after !== undefined) rows = rows.where('at', '>', new Date(page.after))
      // One extra row shows whether there is a next page.
      const found = await rows
        .select(['at', 'value'])
        .orderBy('at')
        .limit(page.limit + 1)
        .execute()
      const measurements = found.slice(0, page.limit)
      return { measurements, next: found.length > page.limit ? (measurements.at(-1)?.at.getTime() ?? null) : null }
    },

    /** Lists the first gaps that overlap a period. */
    async listGaps({ deviceId, from, to }: Period): Promise<{ from: Date; to: Date; dropped: number }[]> {
      const rows = await db
        .selectFrom('measurement_gap')
        .where('device_id', '=', deviceId)
        .where('from_at', '<', to)
        .where('to_at', '>=', from)
        .select(['from_at as from', 'to_at as to', 'dropped'])
        .orderBy('from_at')
        .orderBy('to_at')
        .orderBy('dropped')
        .limit(MAX_GAPS)
        .execute()
      return rows.map((gap) => ({ ...gap, dropped: Number(gap.dropped) }))
    },
  }
}

async function insertGaps(db: Db, deviceId: string, gaps: readonly MeasurementGap[]): Promise<void> {
  await sql`
    INSERT INTO measurement_gap (device_id, from_at, to_at, dropped)
    SELECT ${deviceId}, to_timestamp(gap.from_ms / 1000), to_timestamp(max(gap.to_ms) / 1000), max(dropped)
    FROM unnest(
      ${gaps.map(({ from }) => from)}::double precision[],
      ${gaps.map(({ to }) => to)}::double precision[],
      ${gaps.map(({ dropped }) => dropped)}::bigint[]
    ) AS gap (from_ms, to_ms, dropped)
    GROUP BY gap.from_ms
    ON CONFLICT (device_id, from_at) DO UPDATE SET
      to_at = greatest(measurement_gap.to_at, excluded.to_at),
      dropped = greatest(measurement_gap.dropped, excluded.dropped)`.execute(db)
}

async function insertMeasurements(db: Db, deviceId: string, measurements: readonly Measurement[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO measurement (device_id, datapoint_id, at, value)
    SELECT ${deviceId}, datapoint_id, to_timestamp(at_ms / 1000), value
    FROM unnest(
      ${measurements.map(({ datapointId }) => datapointId)}::text[],
      ${measurements.map(({ at }) => at)}::double precision[],
      ${measurements.map(({ value }) => value)}::double precision[]
    ) AS measured (datapoint_id, at_ms, value)
    ON CONFLICT DO NOTHING`.execute(db)
  return Number(numAffectedRows)
}

/** The partitions of `measurement`: one per month in UTC, created when first needed. */
function createPartitionStore(db: Db) {
  const known = new Set<number>()

  return {
    /** Creates the missing partitions for these times, in milliseconds since 1970. */
    async ensure(times: readonly number[]): Promise<void> {
      for (const at of times) {
        const month = monthOf(at)
        if (known.has(month)) continue
        await createPartition(db, month)
        known.add(month)
      }
    },
    /** Clears the cache, because an operator may have dropped a month. */
    forget: () => known.clear(),
  }
}

function createPartition(db: Db, month: number): Promise<void> {
  const [first, next] = [firstDay(month), firstDay(month + 1)]
  const name = `measurement_${first.slice(0, 7).replace('-', '_')}`
  return db.transaction().execute(async (tx) => {
    // Held until the transaction ends, so that the second of two processes finds the month created.
    await sql`SELECT pg_advisory_xact_lock(hashtext('plantroom measurement partitions'))`.execute(tx)
    const { rows } = await sql<{ exists: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS exists`.execute(tx)
    if (rows[0]?.exists) return
    await sql`CREATE TABLE ${sql.table(name)} (LIKE measurement INCLUDING ALL)`.execute(tx)
    // Attaching avoids the lock of CREATE … PARTITION OF, which waits for every reader (also backups) and blocks writers.
    await sql`ALTER TABLE measurement ATTACH PARTITION ${sql.table(name)}
      FOR VALUES FROM (${sql.lit(first)}) TO (${sql.lit(next)})`.execute(tx)
  })
}

function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const firstDay = (month: number) => new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)).toISOString()
