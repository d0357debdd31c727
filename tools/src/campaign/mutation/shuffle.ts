/** Returns the items in an order that the seed decides (mulberry32). */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return items
    .map((item, index) => ({ item, key: below(2 ** 32), index }))
    .sort((a, b) => a.key - b.key || a.index - b.index)
    .map(({ item }) => item)
}
