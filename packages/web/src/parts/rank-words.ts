/** Splits a text into words, numbers and signs like `%`. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N},;:.()]+/gu) ?? []

/** Returns how well a thing fits, the higher the better; `undefined` when it does not. */
export type Rank = (name: string, around: string) => number | undefined

/**
 * Returns a function that ranks things by the words of a search. Each word must be a part of the name or of what is around
 * it. Words that are whole words of the name count most, and most of all those in the order of the search: *floor 7, zone 3*
 * finds that zone before zone 30 and before floor 3.
 */
export function rankBy(search: string): Rank {
  const wanted = wordsOf(search)
  if (wanted.length === 0) return () => 0
  const sequence = ` ${wanted.join(' ')} `
  return (name, around) => {
    const own = wordsOf(name)
    const all = `${own.join(' ')} ${wordsOf(around).join(' ')}`
    if (!wanted.every((word) => all.includes(word))) return undefined
    const whole = wanted.filter((word) => own.includes(word)).length
    return (` ${own.join(' ')} `.includes(sequence) ? wanted.length : 0) + whole
  }
}

/** Returns the things that fit, the best first; equal ones keep their order. */
export function ranked<Thing>(things: readonly Thing[], rankOf: (thing: Thing) => number | undefined): Thing[] {
  return things
    .flatMap((thing) => {
      const rank = rankOf(thing)
      return rank === undefined ? [] : [{ thing, rank }]
    })
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ thing }) => thing)
}
