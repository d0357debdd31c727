import { excerpt } from '../excerpt.ts'

const MAX_TEXT = 2000

/** Reads unit ids as a list, or as text such as `1-10,20`. Returns what is wrong with them otherwise. */
export function parseUnitList(
  given: unknown,
  { first, last }: { first: number; last: number },
): readonly number[] | { problem: string } {
  const problem = `${excerpt(JSON.stringify(given) ?? '')} must be unit ids from ${first} to ${last}, such as 1-10,20`
  const text = Array.isArray(given) ? given.join(',') : given
  if (typeof text !== 'string' || text.length > MAX_TEXT) return { problem }
  const units = new Set<number>()
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,3})(?:-(\d{1,3}))?\s*$/.exec(part) ?? []
    if (from === undefined || Number(from) < first || Number(to) > last || Number(to) < Number(from)) return { problem }
    for (let unit = Number(from); unit <= Number(to); unit += 1) units.add(unit)
  }
  return [...units]
}
