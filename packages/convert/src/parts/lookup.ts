/** Returns the entry of a table. A name from outside, such as `constructor`, finds nothing that every object has. */
export function lookup<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
