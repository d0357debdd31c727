/** Rounds a mean to what a person reads: four digits, and every digit before the point. */
export function rounded(value: number | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined
  const size = Math.abs(value)
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3
  return Number(value.toFixed(digits))
}
