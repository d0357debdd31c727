import type { OutputTestResult } from './output-test.ts'
import { nullable, number, object, oneOf, type Static } from './schema.ts'

/**
 * - `follows`: the meter moved as the load did.
 * - `opposite`: it moved the other way, so a sign is turned.
 * - `scale`: it moved several times as far, so a scaler or a unit is wrong.
 * - `unclear`: it did not move enough to tell, or something was not read.
 */
export const METER_VERDICTS = ['follows', 'opposite', 'scale', 'unclear'] as const
export type MeterVerdict = (typeof METER_VERDICTS)[number]

/** What a test says about a meter. `null` where something was not read. */
export const MeterJudgement = object({
  verdict: oneOf(METER_VERDICTS),
  /** By how much the meter moved. */
  meterKw: nullable(number()),
  /** By how much it should have moved: positive draws. */
  expectedKw: nullable(number()),
  /** By how much other loads moved it in the meantime. */
  otherKw: nullable(number()),
})
export interface MeterJudgement extends Static<typeof MeterJudgement> {}

/** How the values of a load and of its meter become kW. */
export interface MeterTestSettings {
  meterKwPerUnit: number
  load: { kwPerUnit: number } | { shedValue: number; ratedKw: number }
}

/** The meter also counts losses and what the load draws beside its setpoint. */
const LEAST_PART = 0.3
const MOST_PART = 3
/** The move must stand out from what other loads did. */
const TIMES_OTHERS = 2

/** Judges from the readings of a test whether the meter has the right sign and scale. Pure. */
export function judgeMeter(result: OutputTestResult, settings: MeterTestSettings): MeterJudgement {
  const { before, held, after } = result
  const meterKw = moved(before.meter, held.meter, after?.meter, (value) => value * settings.meterKwPerUnit)
  const expectedKw = moved(before.value, held.value, after?.value, powerOf(settings.load))
  if (meterKw === null || expectedKw === null || !after)
    return { verdict: 'unclear', meterKw, expectedKw, otherKw: null }
  const drift = Math.abs((after.meter ?? 0) - (before.meter ?? 0))
  const otherKw = Math.max(drift, held.spread, after.spread) * settings.meterKwPerUnit
  return { verdict: verdictOf(meterKw, expectedKw, otherKw), meterKw, expectedKw, otherKw }
}

function verdictOf(meterKw: number, expectedKw: number, otherKw: number): MeterVerdict {
  if (expectedKw === 0 || Math.abs(meterKw) <= TIMES_OTHERS * otherKw) return 'unclear'
  const part = meterKw / expectedKw
  if (Math.abs(part) > MOST_PART) return 'scale'
  if (Math.abs(part) < LEAST_PART) return 'unclear'
  return part > 0 ? 'follows' : 'opposite'
}

/** By how much a power differed from its mean before and after. */
function moved(
  before: number | null,
  held: number | null,
  after: number | null | undefined,
  toKw: (value: number) => number,
): number | null {
  if (before === null || held === null || typeof after !== 'number') return null
  return toKw(held) - (toKw(before) + toKw(after)) / 2
}

const powerOf = (load: MeterTestSettings['load']) => (value: number) =>
  'kwPerUnit' in load ? value * load.kwPerUnit : value === load.shedValue ? 0 : load.ratedKw
