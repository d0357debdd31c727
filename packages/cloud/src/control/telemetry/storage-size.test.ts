import { createLog } from '@plantroom/base/log'
import type { Measurement } from '@plantroom/contract/telemetry'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { compactMeasurements } from './compaction.ts'
import { createMeasurementStore } from './measurement-store.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 5, 15)
const MINUTES = 1440
const DATAPOINTS = 96
const AT_ONCE = 180

/** By how much a value moves in a second: a setpoint, a temperature, and a power. Powers alone take 7 bytes a value. */
const STEPS = [0, 0.12, 1]

/** A minute of readings with one decimal, a value a second. */
function minuteOf(
  random: () => number,
  before: number,
  step: number,
): Pick<Measurement, 'value' | 'min' | 'max' | 'mean'> {
  let [value, sum, min, max] = [before, 0, before, before]
  for (let second = 0; second < 60; second += 1) {
    value = Math.round((value + step * (random() - 0.5)) * 10) / 10
    sum += value
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  // As a controller rounds it.
  return { value, min, max, mean: Math.min(max, Math.max(min, Number((sum / 60).toFixed(3)))) }
}

/** A small generator of numbers from 0 to 1, so that each run stores the same. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('a value of a building with its interval takes at most 25 bytes on disk, and 5 after its day', async () => {
  const db = openDatabase({ connectionString: await createTestDatabase() }, createLog('test', 'silent'))
  const store = createMeasurementStore(db)
  const random = createRandom(1)
  const last = Array.from({ length: DATAPOINTS }, () => Math.round(random() * 1000) / 10)
  for (let minute = 0; minute < MINUTES; minute += AT_ONCE) {
    const measurements = Array.from({ length: AT_ONCE * DATAPOINTS }, (_, index): Measurement => {
      const datapoint = index % DATAPOINTS
      const span = minuteOf(random, last[datapoint] ?? 0, STEPS[datapoint % STEPS.length] ?? 0)
      last[datapoint] = span.value
      const at = START + (minute + Math.floor(index / DATAPOINTS) + 1) * 60_000
      return { datapointId: `dp_${datapoint}`, at, seconds: 60, coverage: 100, ...span }
    })
    await store.addAll([{ deviceId: 'dev_a', items: { measurements, gaps: [] } }])
  }
  /** Of the table with its indexes and what is stored beside it, for each value. */
  const bytes = async (table: string) => {
    const { rows } = await sql<{ size: string }>`SELECT pg_total_relation_size(${table}) AS size`.execute(db)
    return Number(rows[0]?.size) / (MINUTES * DATAPOINTS)
  }
  expect(await bytes('measurement_frame')).toBeLessThanOrEqual(25)
  // The last minute ends on the next day.
  expect(await compactMeasurements(db, { now: START + 3 * DAY_MS })).toBe(MINUTES * DATAPOINTS)
  expect(await bytes('measurement_block')).toBeLessThanOrEqual(5)
  await db.destroy()
})
