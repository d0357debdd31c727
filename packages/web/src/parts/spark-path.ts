/** The room for the width of the line. */
const EDGE = 2

/** Returns the path of a small line through the values; a missing one is a gap. A steady value is a line in the middle. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.filter((value) => value !== null)
  const [min, max] = [Math.min(...known), Math.max(...known)]
  const x = (place: number) => round(EDGE + (place / Math.max(1, values.length - 1)) * (width - 2 * EDGE))
  const y = (value: number) =>
    max === min ? height / 2 : round(EDGE + ((max - value) / (max - min)) * (height - 2 * EDGE))
  return values
    .flatMap((value, place) => {
      if (value === null) return []
      const before = values[place - 1]
      return [`${place === 0 || before === null || before === undefined ? 'M' : 'L'}${x(place)} ${y(value)}`]
    })
    .join('')
}

const round = (value: number) => Math.round(value * 10) / 10
