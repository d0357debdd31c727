/** Adds the value of a field under its name, or under `Name (2)` and so on where that is another column. */
export function addColumn(values: Map<string, string>, name: string, text: string): void {
  let column = name
  for (let count = 2; values.has(column); count += 1) column = `${name} (${count})`
  values.set(column, text)
}
