/** Prints a result: for programs as one line of JSON, else as `people` says it. */
export function print(json: boolean | undefined, result: unknown, people: () => string): void {
  console.log(json ? JSON.stringify(result) : people())
}

/** Columns as wide as their content, with a header; `none` where there are no rows. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none
  const widths = header.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), title.length),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [header, ...rows].map(line).join('\n')
}
