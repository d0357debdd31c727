import type { Scaler } from '@plantroom/contract/datapoint'
import type { Raw, Reading } from '@plantroom/drivers/driver'

/** The raw protocol value in engineering units. */
export function toEngineering(raw: Raw, scaler: Scaler): number {
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  return withoutNoise(
    ((Number(raw) - outputValue1) * (inputValue2 - inputValue1)) / (outputValue2 - outputValue1) + inputValue1,
  )
}

/** The value in engineering units as the raw protocol value, which may lie between two that the equipment can hold. */
export function toRaw(value: number, scaler: Scaler): number {
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  return withoutNoise(
    ((value - inputValue1) * (outputValue2 - outputValue1)) / (inputValue2 - inputValue1) + outputValue1,
  )
}

/** As `toEngineering`, but text of the exact digits where the reading exceeds 2^53: a number could not tell them all. */
export function toExact(raw: Raw, scaler: Scaler): number | string {
  const exceeds = typeof raw === 'bigint' && (raw > 2n ** 53n || raw < -(2n ** 53n))
  return exceeds && isIdentity(scaler) ? String(raw) : toEngineering(raw, scaler)
}

/** The reading as it is shown: a value that has no engineering units counts as not read. */
export function toReading(reading: Reading | undefined, scaler: Scaler): Reading {
  if (!reading || 'error' in reading) return reading ?? { error: 'not read' }
  const value = toEngineering(reading.raw, scaler)
  return Number.isFinite(value) ? reading : { error: `the equipment sent ${value}` }
}

/** Does the equipment hold what it was asked to? Whole numbers exactly, others but for the noise of a float32. */
export function sameRaw(a: Raw, b: Raw): boolean {
  if (isWhole(a) && isWhole(b)) return BigInt(a) === BigInt(b)
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= FLOAT32_NOISE * Math.max(Math.abs(x), Math.abs(y))
}

const FLOAT32_NOISE = 1e-6

const isWhole = (raw: Raw) => typeof raw === 'bigint' || Number.isInteger(raw)

const isIdentity = ({ inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler) =>
  inputValue1 === outputValue1 && inputValue2 === outputValue2

// The last digit of a double is noise of the arithmetic: 21.5, not 21.500000000000004. A counter of 16 digits is exact.
function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15))
}
