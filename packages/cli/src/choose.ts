import { UsageError } from './command.ts'

/**
 * What a person means by an id or a name; `undefined` where neither is known. A name of several is a `UsageError`, which
 * tells them apart by `where` they are.
 */
export function choose<Item extends { id: string; name: string }>(
  items: readonly Item[],
  given: string,
  where: (item: Item) => string,
): Item | undefined {
  const byId = items.find(({ id }) => id === given)
  if (byId) return byId
  const named = [...new Map(items.filter(({ name }) => name === given).map((item) => [item.id, item])).values()]
  if (named.length > 1) {
    const all = named.map((item) => `${item.id} (${where(item)})`).join(', ')
    throw new UsageError(`${given} is the name of ${named.length}: give the id, one of ${all}`)
  }
  return named[0]
}
