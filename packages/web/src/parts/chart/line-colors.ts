/** The colors of lines, in order. Those of holds (cyan, orange, violet) are not among them. */
export const LINE_COLORS = ['blue', 'pink', 'green', 'grape', 'lime', 'indigo', 'red', 'gray'] as const

/** Returns the shade that stands out from the background. */
export const lineShade = (scheme: 'light' | 'dark') => (scheme === 'dark' ? 4 : 8)

/** Returns the color of a line for an element beside the chart. */
export const lineColor = (place: number, scheme: 'light' | 'dark') =>
  `var(--mantine-color-${LINE_COLORS[place % LINE_COLORS.length]}-${lineShade(scheme)})`
