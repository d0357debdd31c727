import type { Scaler } from '@plantroom/contract/datapoint'
import type { Raw, Reading } from '@plantroom/drivers/driver'

/** Converts a raw protocol value to engineering units. */
export function toEngineering(raw: Raw, scaler: Scaler): number {
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  return withoutNoise(
    ((Number(raw) - outputValue1) * (inputValue2 - inputValue1)) / (outputValue2 - outputValue1) + inputValue1,
  )
}

/** Converts engineering units to a raw protocol value, which may lie between two values that the equipment can hold. */
export function toRaw(value: number, scaler: Scaler): number {
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  return withoutNoise(
    ((value - inputValue1) * (outputValue2 - outputValue1)) / (inputValue2 - inputValue1) + outputValue1,
  )
}

/** Like `toEngineering`, but returns the exact digits as text where the reading exceeds 2^53. */
export function toExact(raw: Raw, scaler: Scaler): number | string {
  const exceeds = typeof raw === 'bigint' && (raw > 2n ** 53n || raw < -(2n ** 53n))
  return exceeds && isIdentity(scaler) ? String(raw) : toEngineering(raw, scaler)
}

/** Returns the reading as shown: an error where the value cannot be converted to engineering units. */
export function toReading(reading: Reading | undefined, scaler: Scaler): Reading {
  if (!reading || 'error' in reading) return reading ?? { error: 'not read' }
  const value = toEngineering(reading.raw, scaler)
  return Number.isFinite(value) ? reading : { error: `the equipment sent ${value}` }
}

/** Reports whether two raw values are equal: whole numbers exactly, others up to the precision of a float32. */
export function sameRaw(a: Raw, b: Raw): boolean {
  if (isWhole(a) && isWhole(b)) return BigInt(a) === BigInt(b)
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= FLOAT32_NOISE * Math.max(Math.abs(x), Math.abs(y))
}

const FLOAT32_NOISE = 1e-6

const isWhole = (raw: Raw) => typeof raw === 'bigint' || Number.isInteger(raw)

const isIdentity = ({ inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler) =>
  inputValue1 === outputValue1 && inputValue2 === outputValue2

// Rounds off arithmetic noise: 21.5, not 21.500000000000004. Whole numbers such as a 16-digit counter stay exact.
function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15))
}
