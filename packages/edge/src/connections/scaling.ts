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

/**
 * Reports whether equipment that shows `read` holds what was written: exactly this number, or the nearest float32 as
 * equipment may keep it, in as many digits as it may print.
 */
export function holdsWritten(read: Raw, written: Raw): boolean {
  if (sameRaw(read, written)) return true
  if (typeof read === 'bigint' || typeof written === 'bigint') return false
  const kept = Math.fround(written)
  if (Math.abs(read - kept) > Math.abs(kept) * PRINTED_NOISE) return false
  // A whole number that a float32 cannot keep is another number.
  if (Number.isInteger(written) && kept !== written) return false
  return PRINTED_DIGITS.some((digits) => Number(kept.toPrecision(digits)) === read)
}

/** How far a number that is printed with the fewest of these digits can be off. */
const PRINTED_NOISE = 1e-6
/** From the digits that a float32 has for certain up to those that tell it apart from every other, and all of a double. */
const PRINTED_DIGITS = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]

/** Reports whether two raw values are the same number. */
export function sameRaw(a: Raw, b: Raw): boolean {
  if (typeof a === typeof b) return a === b
  return isWhole(a) && isWhole(b) && BigInt(a) === BigInt(b)
}

const isWhole = (raw: Raw) => typeof raw === 'bigint' || Number.isInteger(raw)

const isIdentity = ({ inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler) =>
  inputValue1 === outputValue1 && inputValue2 === outputValue2

// Rounds off arithmetic noise: 21.5, not 21.500000000000004. Whole numbers such as a 16-digit counter stay exact.
function withoutNoise(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15))
}
