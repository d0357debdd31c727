import { Failure } from '@plantroom/contract/failure'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Aggregate, createSteps, type Point, SCALE } from './aggregate.ts'
import { decodeBlock, decodeHours, HOUR_MS } from './block.ts'
import { type BlockInfo, DAY_MS, listBlocks, readBlocks } from './block-store.ts'
import { NO_VALUES, type Series, unite, unpack, within } from './series.ts'
import { findPlace, type Place } from './series-store.ts'
import type { SteppedPeriod } from './steps.ts'

/** Bounds the memory and the time of one answer. */
const MAX_VALUES = 3_000_000
/** Blocks are read until they have this many values, then merged. */
const CHUNK_VALUES = 200_000

/** A datapoint in a period; `from` is inclusive, `to` exclusive, in milliseconds since 1970. */
interface Query {
  deviceId: string
  datapointId: string
  from: number
  to: number
}

interface Page {
  measurements: { at: number; value: number }[]
  /** The `after` of the next page; `null` on the last page. */
  next: number | null
}

export type HistoryStore = ReturnType<typeof createHistoryStore>

/** Reads what devices measured, from blocks and frames. A value that is in both is read once, from the block. */
export function createHistoryStore(db: Db) {
  /** One snapshot: compaction moves values from frames to blocks meanwhile. */
  const inSnapshot = <Result>(query: Query, none: Result, read: (tx: Db, place: Place) => Promise<Result>) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        const place = await findPlace(tx, query.deviceId, query.datapointId)
        return place && query.from < query.to ? read(tx, place) : none
      })

  return {
    /** Lists measurements, oldest first, later than `after`. */
    list(query: Query, page: { after: number | undefined; limit: number }): Promise<Page> {
      const rest = { ...query, from: Math.max(query.from, (page.after ?? -1) + 1) }
      return inSnapshot(rest, { measurements: [], next: null } as Page, async (tx, place) => {
        // One extra value shows whether there is a next page.
        const found = await firstValues(tx, place, rest, page.limit + 1)
        const measurements = found.at
          .slice(0, page.limit)
          .map((at, index) => ({ at, value: found.value[index] as number }))
        return { measurements, next: found.at.length > page.limit ? (measurements.at(-1)?.at ?? null) : null }
      })
    },

    /** Lists the steps that have values. Throws when it would have to read too many. */
    downsample(query: Query, period: SteppedPeriod): Promise<Point[]> {
      return inSnapshot({ ...query, ...period }, [] as Point[], async (tx, place) => {
        const steps = createSteps(period.step * 1000)
        const blocks = await listBlocks(tx, place, period, { hours: (period.step * 1000) % HOUR_MS === 0 })
        const days = [...new Set(blocks.map(({ day }) => day))]
        for (const { at, ...aggregate } of await aggregateFrames(tx, place, period, days)) {
          steps.addAggregate(at, aggregate)
        }
        const late = await lateValues(tx, place, period, days)
        await addBlocks(tx, place, { period, blocks, late }, steps)
        return steps.points()
      })
    },
  }
}

type Period = Pick<Query, 'from' | 'to'>

async function firstValues(tx: Db, place: Place, period: Period, limit: number): Promise<Series> {
  let found = await frameValues(tx, place, period, limit)
  for (const chunk of chunksOf(await listBlocks(tx, place, period, { hours: false }), limit)) {
    const last = found.at[limit - 1]
    if (last !== undefined && (chunk[0]?.day ?? 0) * DAY_MS > last) break
    for (const { day, data } of await readBlocks(tx, place, chunk)) {
      found = within(unite(decodeBlock(data, day * DAY_MS), found), period.from, period.to, limit)
    }
  }
  return found
}

/** Divides blocks into lists that each have at most this many values, or one block. */
function chunksOf(blocks: readonly BlockInfo[], most: number): BlockInfo[][] {
  const chunks: BlockInfo[][] = []
  let values = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    if (values + block.count > most) {
      chunks.push([])
      values = 0
    }
    chunks.at(-1)?.push(block)
    values += block.count
  }
  return chunks
}

async function frameValues(tx: Db, { groupId, slot }: Place, { from, to }: Period, limit: number): Promise<Series> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    SELECT string_agg(int8send(at) || float8send(value), ''::bytea ORDER BY at) AS packed
    FROM (
      SELECT at, vals[${slot}::integer] AS value FROM measurement_frame
      WHERE group_id = ${groupId} AND at >= ${from} AND at < ${to} AND vals[${slot}::integer] IS NOT NULL
      ORDER BY at LIMIT ${limit}
    ) AS first`.execute(tx)
  return unpack(rows[0]?.packed ?? null)
}

/** PostgreSQL refuses to multiply a smaller value by `SCALE`, because the result would be rounded to zero. */
const SMALLEST_SCALED = Number.MIN_VALUE / SCALE

/** Aggregates the frames of days without blocks, in the database. */
async function aggregateFrames(
  tx: Db,
  { groupId, slot }: Place,
  { from, to, step }: SteppedPeriod,
  days: readonly number[],
): Promise<(Aggregate & { at: number })[]> {
  const { rows } = await sql<Record<'start' | 'count', string> & Record<'min' | 'max' | 'sum', number>>`
    SELECT at / ${step * 1000}::bigint AS start, count(*) AS count, min(value) AS min, max(value) AS max,
      sum(CASE WHEN abs(value) < ${SMALLEST_SCALED}::double precision THEN 0
        ELSE value * ${SCALE}::double precision END) AS sum
    FROM (
      SELECT at, vals[${slot}::integer] AS value FROM measurement_frame
      WHERE group_id = ${groupId} AND at >= ${from} AND at < ${to} AND at / ${DAY_MS}::bigint <> ALL (${days}::bigint[])
    ) AS frame
    WHERE value IS NOT NULL
    GROUP BY 1`.execute(tx)
  return rows.map(({ start, count, min, max, sum }) => ({
    at: Number(start) * step * 1000,
    count: Number(count),
    min,
    max,
    scaledSum: sum,
  }))
}

/** The values that arrived after their day was compacted. Usually there are none. */
async function lateValues(
  tx: Db,
  { groupId, slot }: Place,
  { from, to }: Period,
  days: readonly number[],
): Promise<Series> {
  if (days.length === 0) return NO_VALUES
  const { rows } = await sql<{ packed: Buffer | null }>`
    SELECT string_agg(int8send(at) || float8send(value), ''::bytea ORDER BY at) AS packed
    FROM (
      SELECT at, vals[${slot}::integer] AS value FROM measurement_frame
      WHERE group_id = ${groupId} AND at >= ${from} AND at < ${to} AND at / ${DAY_MS}::bigint = ANY (${days}::bigint[])
        AND vals[${slot}::integer] IS NOT NULL
      ORDER BY at LIMIT ${MAX_VALUES + 1}
    ) AS late`.execute(tx)
  return unpack(rows[0]?.packed ?? null)
}

/** Adds the values of blocks and the late ones. Where whole hours are enough, most blocks need not be decoded. */
async function addBlocks(
  tx: Db,
  place: Place,
  { period, blocks, late }: { period: SteppedPeriod; blocks: readonly BlockInfo[]; late: Series },
  steps: ReturnType<typeof createSteps>,
): Promise<void> {
  const lateDays = new Set(late.at.map((at) => Math.floor(at / DAY_MS)))
  const needsValues = ({ day, hours }: BlockInfo) => !hours || lateDays.has(day)
  for (const { hours, day } of blocks.filter((block) => !needsValues(block))) {
    for (const { at, aggregate } of decodeHours(hours as Buffer, day * DAY_MS)) {
      if (at >= period.from && at < period.to) steps.addAggregate(at, aggregate)
    }
  }
  const decoded = blocks.filter(needsValues)
  refuseTooMany(decoded.reduce((sum, { count }) => sum + count, late.at.length))
  const onBlocks = new Set<number>()
  for (const chunk of chunksOf(decoded, CHUNK_VALUES)) {
    for (const { day, data } of await readBlocks(tx, place, chunk)) {
      const { at, value } = within(decodeBlock(data, day * DAY_MS), period.from, period.to)
      for (const [index, time] of at.entries()) steps.addValue(time, value[index] as number)
      if (lateDays.has(day)) for (const time of at) onBlocks.add(time)
    }
  }
  for (const [index, time] of late.at.entries()) {
    if (!onBlocks.has(time)) steps.addValue(time, late.value[index] as number)
  }
}

function refuseTooMany(values: number): void {
  if (values <= MAX_VALUES) return
  throw new Failure(
    'invalid',
    `step: this period has ${values} values, and an answer is computed from at most ${MAX_VALUES}: ask for a shorter period, or for a step of 3600 seconds or a multiple of it`,
    'step',
  )
}
