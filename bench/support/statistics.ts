/** Returns the value that this share of all values does not exceed. NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)
