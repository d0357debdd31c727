import type { Scaler } from '../datapoint.ts'
import { product } from './placeholders.ts'

const MOST_DIGITS = 15

/**
 * Returns the scaler of `value = raw * scale + offset`. Its points are whole numbers where there are any, so that no noise
 * of binary fractions gets into values: 0.1 becomes 0 → 0, 1 → 10.
 */
export function scalerOf(scale: number, offset: number): Scaler {
  let raw = 1
  while (!Number.isInteger(product(scale, raw)) && raw < 10 ** MOST_DIGITS) raw *= 10
  return {
    inputValue1: offset,
    outputValue1: 0,
    inputValue2: Number((product(scale, raw) + offset).toPrecision(15)),
    outputValue2: raw,
  }
}
