import type { Log } from '@plantroom/base/log'
import { DEFAULT_TIME_ZONE } from '@plantroom/contract/site-time'
import type { Measurement, MeasurementGap } from '@plantroom/contract/telemetry'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows, insertGiven } from '../../platform/db/given-rows.ts'
import { type FrameSpans, packSpans, unpackSpans } from './frame-spans.ts'
import { countValues, createFrames, type Frame, fillFrame } from './frames.ts'
import { createSeriesStore } from './series-store.ts'

/** What one device sent. */
export interface DeviceBatch {
  deviceId: string
  items: { measurements: readonly Measurement[]; gaps: readonly MeasurementGap[] }
}

const MAX_GAPS = 1000
/** Bounds the parameters of a statement. */
const MAX_FRAMES = 5000

export type MeasurementStore = ReturnType<typeof createMeasurementStore>

/** Stores what devices measured: each value once, by device, datapoint and time. The first one counts. */
export function createMeasurementStore(db: Db, deps: { log?: Log } = {}) {
  const series = createSeriesStore(db, deps)

  return {
    /** Stores the batches of many devices in one transaction, or none. Resolves with the number of new measurements. */
    async addAll(batches: readonly DeviceBatch[]): Promise<number> {
      const frames = createFrames()
      const places = await series.assign(datapointsOf(batches))
      for (const { deviceId, items } of batches) frames.add(items.measurements, places.get(deviceId) ?? new Map())
      return db.transaction().execute(async (tx) => {
        let added = 0
        const sorted = frames.sorted()
        for (let first = 0; first < sorted.length; first += MAX_FRAMES) {
          added += await addFrames(tx, sorted.slice(first, first + MAX_FRAMES))
        }
        await insertGaps(tx, batches)
        return added
      })
    },

    /** Returns the time zone of the site of a device. */
    async timeZoneOf(deviceId: string): Promise<string> {
      const site = await db
        .selectFrom('device')
        .innerJoin('site', 'site.id', 'device.site_id')
        .where('device.id', '=', deviceId)
        .select('site.time_zone')
        .executeTakeFirst()
      return site?.time_zone ?? DEFAULT_TIME_ZONE
    },

    /** Lists the first gaps that overlap a period; `from` is inclusive, `to` exclusive. */
    async listGaps(period: { deviceId: string; from: Date; to: Date }) {
      const rows = await db
        .selectFrom('measurement_gap')
        .where('device_id', '=', period.deviceId)
        .where('from_at', '<', period.to)
        .where('to_at', '>=', period.from)
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

function datapointsOf(batches: readonly DeviceBatch[]): Map<string, Set<string>> {
  const byDevice = new Map<string, Set<string>>()
  for (const { deviceId, items } of batches) {
    if (items.measurements.length === 0) continue
    const datapointIds = byDevice.get(deviceId) ?? new Set()
    for (const { datapointId } of items.measurements) datapointIds.add(datapointId)
    byDevice.set(deviceId, datapointIds)
  }
  return byDevice
}

async function addFrames(tx: Db, frames: readonly Frame[]): Promise<number> {
  let added = 0
  let pending = frames
  // Compaction may take a frame away between the two statements. Then it is inserted after all.
  while (pending.length > 0) {
    const inserted = await insertFrames(tx, pending)
    for (const frame of pending) if (inserted.has(keyOf(frame))) added += countValues(frame)
    const filled = await fillFrames(
      tx,
      pending.filter((frame) => !inserted.has(keyOf(frame))),
    )
    added += filled.added
    pending = filled.gone
  }
  return added
}

const keyOf = ({ groupId, at }: Pick<Frame, 'groupId' | 'at'>) => `${groupId} ${at}`

const FRAME = {
  group_id: 'integer',
  at: 'bigint',
  vals: 'double precision[]',
  seconds: 'integer',
  spans: 'bytea',
  exceptions: 'bytea',
} as const

const packed = ({ groupId, at, vals, spans }: Frame) => ({ groupId, at, vals, ...packSpans(vals, spans) })

/** Inserts the frames whose time is new. Returns the keys of those. */
async function insertFrames(tx: Db, frames: readonly Frame[]): Promise<Set<string>> {
  const { rows } = await sql<{ group_id: number; at: string }>`
    ${insertGiven('measurement_frame', {}, frames.map(packed), FRAME)}
    ON CONFLICT DO NOTHING
    RETURNING group_id, at`.execute(tx)
  return new Set(rows.map((row) => `${row.group_id} ${row.at}`))
}

/** Adds to existing frames the values that they lack. */
async function fillFrames(tx: Db, frames: readonly Frame[]): Promise<{ added: number; gone: Frame[] }> {
  if (frames.length === 0) return { added: 0, gone: [] }
  const { rows } = await sql<{ group_id: number; at: string; vals: (number | null)[] } & FrameSpans>`
    SELECT group_id, at, vals, seconds, spans, exceptions FROM measurement_frame
    WHERE (group_id, at) IN (
      SELECT * FROM ${givenRows(frames, { group_id: 'integer', at: 'bigint' })}
    )
    ORDER BY group_id, at
    FOR UPDATE`.execute(tx)
  const known = new Map(rows.map(({ group_id, at, ...row }) => [`${group_id} ${at}`, row]))
  const gone: Frame[] = []
  const changed: Frame[] = []
  let added = 0
  for (const frame of frames) {
    const row = known.get(keyOf(frame))
    if (!row) {
      gone.push(frame)
      continue
    }
    const filled = { ...frame, vals: row.vals, spans: unpackSpans(row.vals, row) }
    const count = fillFrame(filled, frame)
    if (count > 0) changed.push(filled)
    added += count
  }
  if (changed.length > 0) await updateFrames(tx, changed)
  return { added, gone }
}

async function updateFrames(tx: Db, frames: readonly Frame[]): Promise<void> {
  await sql`
    UPDATE measurement_frame SET vals = given.vals, seconds = given.seconds, spans = given.spans,
      exceptions = given.exceptions
    FROM ${givenRows(frames.map(packed), FRAME)}
    WHERE measurement_frame.group_id = given.group_id AND measurement_frame.at = given.at`.execute(tx)
}

async function insertGaps(tx: Db, batches: readonly DeviceBatch[]): Promise<void> {
  const gaps = batches.flatMap(({ deviceId, items }) => items.gaps.map((gap) => ({ deviceId, ...gap })))
  if (gaps.length === 0) return
  await sql`
    INSERT INTO measurement_gap (device_id, from_at, to_at, dropped)
    SELECT device_id, to_timestamp(from_ms / 1000), to_timestamp(max(to_ms) / 1000), max(dropped)
    FROM ${givenRows(gaps, {
      device_id: 'text',
      from_ms: ['double precision', ({ from }) => from],
      to_ms: ['double precision', ({ to }) => to],
      dropped: 'bigint',
    })}
    GROUP BY device_id, from_ms
    ORDER BY device_id, from_ms
    ON CONFLICT (device_id, from_at) DO UPDATE SET
      to_at = greatest(measurement_gap.to_at, excluded.to_at),
      dropped = greatest(measurement_gap.dropped, excluded.dropped)`.execute(tx)
}
