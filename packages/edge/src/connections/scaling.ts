import type { Scaler } from '@plantroom/contract/datapoint'
import type { Raw } from '@plantroom/drivers/driver'

/** The raw protocol value in engineering units. */
export function toEngineering(raw: Raw, scaler: Scaler): number {
  const { inputValue1, outputValue1, inputValue2, outputValue2 } = scaler
  const value =
    ((Number(raw) - outputValue1) * (inputValue2 - inputValue1)) / (outputValue2 - outputValue1) + inputValue1
  // The last digit of a double is noise of the arithmetic: 21.5, not 21.500000000000004. A counter of 16 digits is exact.
  return Number.isInteger(value) ? value : Number(value.toPrecision(15))
}
