import { Failure } from '@plantroom/contract/failure'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Aggregate, createSteps, newAggregate, type Point, SCALE, startOf } from './aggregate.ts'
import { decodeBlock } from './block.ts'
import { type BlockInfo, DAY_MS, listBlocks, readBlocks } from './block-store.ts'
import { SPAN_BYTES, type Span } from './frame-spans.ts'
import { decodeHours, HOUR_MS } from './hours.ts'
import { type Series, unite, unpack, within } from './series.ts'
import { findPlace, type Place } from './series-store.ts'
import { type SteppedPeriod, stepFinder } from './steps.ts'

/** Bounds the memory and the time of one answer. */
const MAX_VALUES = 3_000_000
/** Blocks are read until they have this many values, then merged. */
const CHUNK_VALUES = 200_000
/** Values of frames that are read at once: other requests of this process wait while they are unpacked. */
const PAGE_VALUES = 20_000
/** Blocks of which only the hours are read, until other requests have a turn. */
const PAGE_BLOCKS = 100
/** No interval is longer: a day on which the clock is set back. An interval is stored at its end and read by its start. */
const LONGEST_MS = DAY_MS + 3 * HOUR_MS

/** A datapoint in a period; `from` is inclusive, `to` exclusive, in milliseconds since 1970. */
interface Query {
  deviceId: string
  datapointId: string
  from: number
  to: number
}

interface Page {
  measurements: { at: number; value: number; span: Span }[]
  /** The `after` of the next page; `null` on the last page. */
  next: number | null
}

export type HistoryStore = ReturnType<typeof createHistoryStore>

/** Reads what devices measured, from blocks and frames. A value that is in both is read once, from the block. */
export function createHistoryStore(db: Db, { pageValues = PAGE_VALUES } = {}) {
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
          .map((at, index) => ({ at, value: found.value[index] as number, span: found.spans[index] ?? null }))
        return { measurements, next: found.at.length > page.limit ? (measurements.at(-1)?.at ?? null) : null }
      })
    },

    /** Lists the steps that have values. Throws when it would have to read too many. */
    downsample(query: Query, period: SteppedPeriod): Promise<Point[]> {
      return inSnapshot({ ...query, ...period }, [] as Point[], async (tx, place) => {
        const steps = createSteps(stepFinder(period))
        const stored = { from: period.from, to: period.to + LONGEST_MS }
        const hours = (period.starts ?? [period.step * 1000]).every((each) => each % HOUR_MS === 0)
        const blocks = await listBlocks(tx, place, stored, { hours })
        const days = [...new Set(blocks.map(({ day }) => day))]
        // The database cannot sum up the days of a site.
        const inDatabase = !period.starts
        if (inDatabase) {
          for (const { at, ...aggregate } of await aggregateFrames(tx, place, period, days)) {
            steps.addAggregate(at, aggregate)
          }
        }
        const wanted = { ...stored, days: inDatabase ? days : undefined }
        const frames = await framesToRead(tx, place, wanted, pageValues)
        await addBlocks(tx, place, { period, blocks, frames }, steps)
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
    SELECT string_agg(${packedValue(slot)}, ''::bytea ORDER BY at) AS packed
    FROM (
      SELECT at, vals, seconds, spans, exceptions FROM measurement_frame
      WHERE group_id = ${groupId} AND at >= ${from} AND at < ${to} AND vals[${slot}::integer] IS NOT NULL
      ORDER BY at LIMIT ${limit}
    ) AS first`.execute(tx)
  return unpack(rows[0]?.packed ?? null, slot)
}

/** The bytes of a value in a list for `unpack`: its time, itself, and for an interval its length and the span of its slot. */
const packedValue = (slot: number) => sql`
  int8send(at) || float8send(vals[${slot}::integer]) || CASE
    WHEN seconds IS NULL OR length(spans) < ${slot * SPAN_BYTES}::integer THEN int4send(0)
    ELSE int4send(seconds)
      || substring(spans FROM ${(slot - 1) * SPAN_BYTES + 1}::integer FOR ${SPAN_BYTES}::integer)
      || int2send(coalesce(length(exceptions), 0)::smallint) || coalesce(exceptions, '')
  END`

/** PostgreSQL refuses to multiply a smaller value by `SCALE`, because the result would be rounded to zero. */
const SMALLEST_SCALED = Number.MIN_VALUE / SCALE

/** Aggregates the samples of days without blocks, in the database. */
async function aggregateFrames(
  tx: Db,
  { groupId, slot }: Place,
  { from, to, step }: SteppedPeriod,
  days: readonly number[],
): Promise<(Aggregate & { at: number })[]> {
  const { rows } = await sql<
    Record<'start' | 'count' | 'last_at', string> & Record<'min' | 'max' | 'sum' | 'last', number>
  >`
    SELECT at / ${step * 1000}::bigint AS start, count(*) AS count, min(value) AS min, max(value) AS max,
      (array_agg(value ORDER BY at DESC))[1] AS last, max(at) AS last_at,
      sum(CASE WHEN abs(value) < ${SMALLEST_SCALED}::double precision THEN 0
        ELSE value * ${SCALE}::double precision END) AS sum
    FROM (
      SELECT at, vals[${slot}::integer] AS value FROM measurement_frame
      WHERE group_id = ${groupId} AND at >= ${from} AND at < ${to} AND at / ${DAY_MS}::bigint <> ALL (${days}::bigint[])
        AND seconds IS NULL
    ) AS frame
    WHERE value IS NOT NULL
    GROUP BY 1`.execute(tx)
  return rows.map(({ start, count, min, max, sum, last, last_at }) => ({
    ...newAggregate(),
    at: Number(start) * step * 1000,
    count: Number(count),
    samples: Number(count),
    min,
    max,
    scaledSum: sum,
    last,
    lastAt: Number(last_at),
  }))
}

/** Values of frames, page by page. */
interface Frames {
  count: number
  /** The days on which they are. */
  days: ReadonlySet<number>
  pages(): AsyncIterable<Series>
}

/**
 * The values of frames that `aggregateFrames` leaves out: intervals, and those that arrived after their day was compacted.
 * All values when no days are given.
 */
async function framesToRead(
  tx: Db,
  { groupId, slot }: Place,
  { from, to, days }: Period & { days: readonly number[] | undefined },
  pageValues: number,
): Promise<Frames> {
  const isLeftOut = days ? sql`(seconds IS NOT NULL OR at / ${DAY_MS}::bigint = ANY (${days}::bigint[]))` : sql`true`
  const wanted = (after: number, limit: number) => sql`
    SELECT at, vals, seconds, spans, exceptions FROM measurement_frame
    WHERE group_id = ${groupId} AND at > ${after} AND at < ${to} AND ${isLeftOut} AND vals[${slot}::integer] IS NOT NULL
    ORDER BY at LIMIT ${limit}`
  const readPage = async (after: number) => {
    const { rows } = await sql<{ packed: Buffer | null }>`
      SELECT string_agg(${packedValue(slot)}, ''::bytea ORDER BY at) AS packed
      FROM (${wanted(after, pageValues)}) AS frame`.execute(tx)
    return unpack(rows[0]?.packed ?? null, slot)
  }
  const countDays = async () => {
    const { rows } = await sql<{ day: string; count: string }>`
      SELECT at / ${DAY_MS}::bigint AS day, count(*) AS count
      FROM (${wanted(from - 1, MAX_VALUES + 1)}) AS frame GROUP BY 1`.execute(tx)
    return {
      count: rows.reduce((sum, { count }) => sum + Number(count), 0),
      days: new Set(rows.map(({ day }) => Number(day))),
    }
  }

  const first = await readPage(from - 1)
  const isLast = (page: Series) => page.at.length < pageValues
  const daysOfFirst = () => new Set(first.at.map((at) => Math.floor(at / DAY_MS)))
  const counted = isLast(first) ? { count: first.at.length, days: daysOfFirst() } : await countDays()
  return {
    ...counted,
    async *pages() {
      for (let page = first; ; page = await readPage(page.at.at(-1) as number)) {
        yield page
        if (isLast(page)) return
      }
    },
  }
}

/** Adds the values of blocks and frames. Where whole hours are enough, most blocks need not be decoded. */
async function addBlocks(
  tx: Db,
  place: Place,
  { period, blocks, frames }: { period: SteppedPeriod; blocks: readonly BlockInfo[]; frames: Frames },
  steps: ReturnType<typeof createSteps>,
): Promise<void> {
  const isWanted = (moment: number) => moment >= period.from && moment < period.to
  const needsValues = ({ day, hours }: BlockInfo) => !hours || frames.days.has(day)
  const decoded = blocks.filter(needsValues)
  refuseTooMany(decoded.reduce((sum, { count }) => sum + count, frames.count))
  const summed = blocks.filter((block) => !needsValues(block))
  for (const [index, { hours, day }] of summed.entries()) {
    for (const { at, aggregate } of decodeHours(hours as Buffer, day * DAY_MS)) {
      if (isWanted(at)) steps.addAggregate(at, aggregate)
    }
    if ((index + 1) % PAGE_BLOCKS === 0) await othersTurn()
  }
  const onBlocks = new Set<number>()
  const addAll = async ({ at, value, spans }: Series, isNew: (time: number) => boolean = () => true) => {
    for (const [index, time] of at.entries()) {
      const span = spans[index] ?? null
      if (isWanted(startOf(time, span)) && isNew(time)) steps.addValue(time, value[index] as number, span)
    }
    await othersTurn()
  }
  for (const chunk of chunksOf(decoded, CHUNK_VALUES)) {
    for (const { day, data } of await readBlocks(tx, place, chunk)) {
      const series = decodeBlock(data, day * DAY_MS)
      await addAll(series)
      if (frames.days.has(day)) for (const time of series.at) onBlocks.add(time)
    }
  }
  for await (const page of frames.pages()) await addAll(page, (time) => !onBlocks.has(time))
}

/** Lets the other requests of this process go on. */
const othersTurn = () => new Promise((resolve) => setImmediate(resolve))

function refuseTooMany(values: number): void {
  if (values <= MAX_VALUES) return
  throw new Failure(
    'invalid',
    `step: this period has ${values} values, and an answer is computed from at most ${MAX_VALUES}: ask for a shorter period, or for a step of 3600 seconds or a multiple of it`,
    'step',
  )
}
