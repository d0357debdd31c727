import { shown } from '@plantroom/contract/shown'

/** Prints a result: one line of JSON with `--json`, otherwise text for people. */
export function print(json: boolean | undefined, result: unknown, people: () => string): void {
  console.log(json ? JSON.stringify(result) : people())
}

/** Prints a remark on stderr that is not a failure: with `--json` as an object, so that every line there is one. */
export function note(json: boolean | undefined, message: string): void {
  console.error(json ? JSON.stringify({ note: { message } }) : `plantroom: ${printable(message)}`)
}

/** Escapes terminal control characters in a text of any length. */
export function printable(text: string): string {
  return shown(text, Number.POSITIVE_INFINITY)
}

/** Formats rows as columns with a header. Returns `none` if there are no rows. Cells may contain any text. */
export function table(header: readonly string[], content: readonly (readonly string[])[], none: string): string {
  if (content.length === 0) return none
  const rows = content.map((row) => row.map(printable))
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

/** Formats a cell whose value may be missing. */
export function orDash(value: number | string | null): string {
  return value === null ? '-' : String(value)
}

/** Formats the details of one thing: a name and a value on each line. */
export function details(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = rows.reduce((most, [name]) => Math.max(most, name.length), 0)
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`).join('\n')
}
