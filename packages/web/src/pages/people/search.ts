/** Those in whose texts every word of the query occurs, in any order and whatever the case. */
export function matching<Item>(
  items: readonly Item[],
  query: string,
  textsOf: (item: Item) => readonly (string | null)[],
): Item[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return items.filter((item) => {
    const text = textsOf(item).join(' ').toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}
