import { createLog } from '@plantroom/base/log'
import type { IntervalValues, Measurement } from '@plantroom/contract/telemetry'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { compactMeasurements } from './compaction.ts'
import { createHistoryStore } from './history-store.ts'
import { createMeasurementStore } from './measurement-store.ts'
import { type SteppedPeriod, stepFinder, toSteps } from './steps.ts'

const START = Date.UTC(2026, 0, 30)
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** More than one group has slots for. */
const DATAPOINTS = Array.from({ length: 40 }, (_, index) => `dp_${index}`)

let db: Db
let devices = 0

beforeAll(async () => {
  db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
})
afterAll(() => db.destroy())

/** Of a sample that the database packs. */
const BYTES = 20
/** What a device may have measured: few times, so that they occur again. */
/** Below it, a mean loses digits. */
const ALMOST_ZERO = 1e-290

const tenths = (from: number, to: number) => fc.integer({ min: from, max: to }).map((n) => n / 10)
/** What a controller may have seen of an interval that ends with this value. */
const interval = (value: number): fc.Arbitrary<IntervalValues> =>
  fc
    .record({
      seconds: fc.constantFrom(60, 900, 3600, 86_400),
      below: fc.integer({ min: 0, max: 50 }),
      above: fc.integer({ min: 0, max: 50 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      coverage: fc.integer({ min: 1, max: 100 }),
      energyKwh: fc.option(tenths(0, 100), { nil: undefined }),
    })
    .map(({ seconds, below, above, share, coverage, energyKwh }) => {
      const [min, max] = [(value * 10 - below) / 10, (value * 10 + above) / 10]
      const mean = Math.min(Math.max(Number((min + (max - min) * share).toFixed(3)), min), max)
      return { seconds, mean, min, max, coverage, ...(energyKwh !== undefined && { energyKwh }) }
    })

const sample = fc.record({
  datapointId: fc.constantFrom('dp_0', 'dp_1', 'dp_39'),
  at: fc
    .tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom(0, 1, 61_000, 3_600_000, 7_199_999, DAY_MS - 1))
    .map(([day, ms]) => START + day * DAY_MS + ms),
  value: fc
    .oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((n) => n + 0),
})
const measurement = fc.oneof(
  sample,
  sample.chain((about) =>
    tenths(-50, 50).chain((value) => interval(value).map((span) => ({ ...about, value: value + 0, ...span }))),
  ),
)
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('batch' as const), items: fc.array(measurement) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('all' as const), at: fc.constantFrom(0, DAY_MS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('minutes' as const), first: fc.integer({ min: 0, max: 3000 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'resend' as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('compact' as const), days: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'killed' as const }) },
)
type Event = typeof event extends fc.Arbitrary<infer Type> ? Type : never
type Items = Measurement[]
type Known = Pick<Measurement, 'value'> & Partial<IntervalValues>

function itemsOf(happened: Event): Items {
  if (happened.kind === 'batch') return happened.items
  if (happened.kind === 'all') {
    return DATAPOINTS.map((datapointId, value) => ({ datapointId, at: START + happened.at, value }))
  }
  if (happened.kind !== 'minutes') return []
  return Array.from({ length: 400 }, (_, index) => {
    const minute = happened.first + index
    const value = minute % 7
    const seen = { seconds: 60, mean: value, min: value, max: value + 0.5, coverage: 1 + (minute % 100) }
    return { datapointId: 'dp_1', at: START + minute * MINUTE_MS, value, ...(minute % 500 < 250 && seen) }
  })
}

/** Runs events against the store and returns what a plain map says. */
async function live(device: string, events: readonly Event[], limits: { maxFrames: number; maxPartValues: number }) {
  const store = createMeasurementStore(db)
  const model = new Map(DATAPOINTS.map((id) => [id, new Map<number, Known>()]))
  const sent: Items[] = []
  const compact = (on: Db, days: number) =>
    compactMeasurements(on, { now: START + days * DAY_MS + 3 * 3_600_000, ...limits })
  for (const happened of events) {
    if (happened.kind === 'compact') {
      await Promise.all([compact(db, happened.days), compact(db, happened.days), ...sent.slice(-1).map(add)])
    } else if (happened.kind === 'killed') {
      const ending = db.transaction().execute(async (tx) => {
        await compact(tx, 3)
        throw new Error('killed')
      })
      await expect(ending).rejects.toThrow('killed')
    } else if (happened.kind === 'resend') {
      for (const items of sent.toReversed()) await add(items.map((one) => ({ ...one, value: one.value / 2 + 1 })))
    } else {
      const items = itemsOf(happened)
      await add(items)
      sent.push(items)
      for (const { datapointId, at, ...known } of items) {
        const values = model.get(datapointId)
        if (values && !values.has(at)) values.set(at, known)
      }
    }
  }
  return model

  function add(items: Items): Promise<number> {
    return store.addAll([{ deviceId: device, items: { measurements: items, gaps: [] } }])
  }
}

const sorted = (values: ReadonlyMap<number, Known>) => [...values].sort(([a], [b]) => a - b)

/** What is known of each step, computed the simple way. */
function downsampled(values: readonly (readonly [number, Known])[], period: SteppedPeriod) {
  const startOf = ([at, { seconds = 0 }]: readonly [number, Known]) => at - seconds * 1000
  const within = values.filter((each) => startOf(each) >= period.from && startOf(each) < period.to)
  const steps = Map.groupBy(within, (each) => stepFinder(period)(startOf(each)).start)
  return [...steps]
    .toSorted(([a], [b]) => a - b)
    .map(([at, found]) => {
      const known = found.map(([, each]) => each)
      const isSampled = known.some(({ coverage }) => coverage === undefined)
      const weights = known.map(({ seconds = 0, coverage = 0 }) => (isSampled ? 1 : seconds * coverage))
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      const mean = known.reduce(
        (sum, { value, mean = value }, index) => sum + mean * ((weights[index] ?? 0) / total),
        0,
      )
      const seconds = known.reduce((sum, { seconds = 0 }) => sum + seconds, 0)
      const stepSeconds = (stepFinder(period)(at).end - at) / 1000
      const coverage = Math.min(100, Math.max(1, total / Math.max(stepSeconds, seconds)))
      const energies = known.flatMap(({ energyKwh }) => (energyKwh === undefined ? [] : [energyKwh]))
      return {
        at,
        min: Math.min(...known.map(({ value, min = value }) => min)),
        mean,
        max: Math.max(...known.map(({ value, max = value }) => max)),
        last: known.at(-1)?.value,
        count: known.length,
        // Rounded to whole percents.
        coverage: isSampled ? null : expect.closeTo(coverage, -0.01),
        ...(energies.length > 0 && {
          energyKwh: expect.closeTo(
            energies.reduce((sum, each) => sum + each),
            6,
          ),
        }),
      }
    })
}

/** A step of days may be of a site that is not at UTC. */
function periodOf(step: number, timeZone: string): SteppedPeriod {
  const to = START + 4 * DAY_MS
  if (step % 86_400 === 0) return toSteps({ from: START, to }, { step }, timeZone)
  return { from: Math.floor(START / step / 1000) * step * 1000, to, step }
}

test('any batches, resends, reorderings, late values and compactions read as a plain map says', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 12 }),
      fc.constantFrom({ maxFrames: 20_000, maxPartValues: 100_000 }, { maxFrames: 50, maxPartValues: 120 }),
      fc.constantFrom(7, 60, 900, 3600, 7200, 86_400, 172_800),
      fc.constantFrom('UTC', 'Europe/Tallinn', 'Asia/Kolkata'),
      fc.integer({ min: 30, max: 500 }),
      fc.constantFrom(20_000, 40),
      async (events, limits, step, timeZone, limit, pageValues) => {
        const history = createHistoryStore(db, { pageValues })
        const device = `dev_${++devices}`
        const model = await live(device, events, limits)
        for (const datapointId of ['dp_0', 'dp_1', 'dp_39']) {
          const expected = sorted(model.get(datapointId) ?? new Map())
          const query = { deviceId: device, datapointId, from: START, to: START + 3 * DAY_MS }
          const read: [number, Known][] = []
          let after: number | undefined
          do {
            const page = await history.list(query, { after, limit })
            for (const { at, value, span } of page.measurements) read.push([at, { value, ...span }])
            after = page.next ?? undefined
          } while (after !== undefined)
          expect(read).toEqual(expected)
          const period = periodOf(step, timeZone)
          const points = await history.downsample(query, period)
          const wanted = downsampled(expected, period)
          expect(points.map(({ mean: _, ...rest }) => rest)).toEqual(wanted.map(({ mean: _, ...rest }) => rest))
          for (const [index, { mean, min, max }] of points.entries()) {
            const size = Math.max(Math.abs(min), Math.abs(max))
            expect(Math.abs(mean - (wanted[index]?.mean ?? Number.NaN))).toBeLessThanOrEqual(
              Math.max(size * 1e-12, ALMOST_ZERO),
            )
            expect(mean >= min && mean <= max).toBe(true)
          }
        }
      },
    ),
    cases(10),
  )
})

test('no more than a page of values is read at once, so that other requests have their turn', async () => {
  const device = `dev_${++devices}`
  const days = [0, 1, 2].map((day) => START + day * DAY_MS)
  const values = days.flatMap((day) => Array.from({ length: 70 }, (_, minute) => day + minute * MINUTE_MS))
  const measurements = values.map((at) => ({ datapointId: 'dp_0', at, value: 1 }))
  await createMeasurementStore(db).addAll([{ deviceId: device, items: { measurements, gaps: [] } }])
  const pages: number[] = []
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const { packed } of result.rows as { packed?: Buffer }[]) if (packed) pages.push(packed.length / BYTES)
      return result
    },
  })
  const query = { deviceId: device, datapointId: 'dp_0', from: START, to: START + 3 * DAY_MS }
  const points = await createHistoryStore(watched, { pageValues: 50 }).downsample(
    query,
    periodOf(86_400, 'Asia/Kolkata'),
  )
  expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(210)
  expect(pages).toEqual([50, 50, 50, 50, 10])
})
