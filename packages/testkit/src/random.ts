/** Repeatable choices: the same seed makes the same ones. */
export interface Random {
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number
  pick<Item>(items: readonly Item[]): Item
}

/** Creates a generator of pseudorandom choices (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    whole,
    pick(items) {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new Error('cannot pick from an empty list')
      return item
    },
  }
}
