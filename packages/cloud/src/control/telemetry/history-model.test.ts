import { createLog } from '@plantroom/base/log'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { compactMeasurements } from './compaction.ts'
import { createHistoryStore } from './history-store.ts'
import { createMeasurementStore } from './measurement-store.ts'

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

/** What a device may have measured: few times, so that they occur again. */
/** Below it, a mean loses digits. */
const ALMOST_ZERO = 1e-290

const measurement = fc.record({
  datapointId: fc.constantFrom('dp_0', 'dp_1', 'dp_39'),
  at: fc
    .tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom(0, 1, 61_000, 3_600_000, 7_199_999, DAY_MS - 1))
    .map(([day, ms]) => START + day * DAY_MS + ms),
  value: fc
    .oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((n) => n + 0),
})
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
type Items = { datapointId: string; at: number; value: number }[]

function itemsOf(happened: Event): Items {
  if (happened.kind === 'batch') return happened.items
  if (happened.kind === 'all') {
    return DATAPOINTS.map((datapointId, value) => ({ datapointId, at: START + happened.at, value }))
  }
  if (happened.kind !== 'minutes') return []
  return Array.from({ length: 400 }, (_, index) => {
    const minute = happened.first + index
    return { datapointId: 'dp_1', at: START + minute * MINUTE_MS, value: minute % 7 }
  })
}

/** Runs events against the store and returns what a plain map says. */
async function live(device: string, events: readonly Event[], limits: { maxFrames: number; maxPartValues: number }) {
  const store = createMeasurementStore(db)
  const model = new Map(DATAPOINTS.map((id) => [id, new Map<number, number>()]))
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
      for (const { datapointId, at, value } of items) {
        const values = model.get(datapointId)
        if (values && !values.has(at)) values.set(at, value)
      }
    }
  }
  return model

  function add(items: Items): Promise<number> {
    return store.addAll([{ deviceId: device, items: { measurements: items, gaps: [] } }])
  }
}

const sorted = (values: ReadonlyMap<number, number>) => [...values].sort(([a], [b]) => a - b)

/** The lowest, mean and highest value of each step, computed the simple way. */
function downsampled(values: readonly (readonly [number, number])[], stepMs: number) {
  const steps = Map.groupBy(values, ([at]) => Math.floor(at / stepMs) * stepMs)
  return [...steps].map(([at, within]) => {
    const found = within.map(([, value]) => value)
    const mean = found.reduce((sum, value) => sum + value / found.length, 0)
    return { at, min: Math.min(...found), mean, max: Math.max(...found), count: found.length }
  })
}

test('any batches, resends, reorderings, late values and compactions read as a plain map says', async () => {
  const history = createHistoryStore(db)
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 12 }),
      fc.constantFrom({ maxFrames: 20_000, maxPartValues: 100_000 }, { maxFrames: 50, maxPartValues: 120 }),
      fc.constantFrom(7, 60, 900, 3600, 7200, 86_400, 172_800),
      fc.integer({ min: 30, max: 500 }),
      async (events, limits, step, limit) => {
        const device = `dev_${++devices}`
        const model = await live(device, events, limits)
        for (const datapointId of ['dp_0', 'dp_1', 'dp_39']) {
          const expected = sorted(model.get(datapointId) ?? new Map())
          const query = { deviceId: device, datapointId, from: START, to: START + 3 * DAY_MS }
          const read: [number, number][] = []
          let after: number | undefined
          do {
            const page = await history.list(query, { after, limit })
            for (const { at, value } of page.measurements) read.push([at, value])
            after = page.next ?? undefined
          } while (after !== undefined)
          expect(read).toEqual(expected)
          const from = Math.floor(START / step / 1000) * step * 1000
          const points = await history.downsample(query, { from, to: START + 4 * DAY_MS, step })
          const wanted = downsampled(expected, step * 1000)
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
