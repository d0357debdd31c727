/** The most axes of one panel, one on each side. */
const MAX_AXES = 2

/** Lines with a common time axis, drawn together, with the units of their axes from left to right. */
export interface Panel<Line> {
  units: readonly (string | undefined)[]
  lines: readonly Line[]
}

/** Arranges lines: together with one axis per unit where two axes are enough, otherwise one panel per unit. */
export function panelsOf<Line extends { unit: string | undefined }>(lines: readonly Line[]): Panel<Line>[] {
  const byUnit = Map.groupBy(lines, ({ unit }) => unit)
  if (byUnit.size === 0) return []
  if (byUnit.size <= MAX_AXES) return [{ units: [...byUnit.keys()], lines }]
  return [...byUnit].map(([unit, of]) => ({ units: [unit], lines: of }))
}
