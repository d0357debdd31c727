import type { Mapping } from '@plantroom/contract/conversion'

/** Reports whether two mappings mean the same. The database does not keep the order of names. */
export const sameMapping = (one: Mapping, other: Mapping): boolean => textOf(one) === textOf(other)

function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
