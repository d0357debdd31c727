import type { Measurement, MeasurementGap } from '@plantroom/contract/telemetry'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { createPartitionStore } from './partition-store.ts'

/** A period in the history of a device; `from` is inclusive, `to` exclusive. */
export interface Period {
  deviceId: string
  from: Date
  to: Date
}

export interface MeasurementPage {
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
