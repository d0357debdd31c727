import { jsonOf } from './compare.ts'

/** Why an item of a file is the one that is commissioned already. */
export const MATCHES = ['name', 'address', 'settings'] as const
export type Match = (typeof MATCHES)[number]

interface NamedConnection {
  name: string
  protocol: string
  settings: object
}

interface NamedDatapoint {
  name: string
  accessType: string
  data: object
}

type Found<Old, New> = ReadonlyMap<New, { was: Old; by: Match }>

/** Finds the connections of a file among those that are commissioned: by name, then by protocol and settings. */
export const matchConnections = <Old extends NamedConnection, New extends NamedConnection>(
  before: readonly Old[],
  after: readonly New[],
): Found<Old, New> =>
  matchItems<NamedConnection, Old, New>(before, after, [
    ['name', ({ name }) => name],
    ['settings', ({ protocol, settings }) => jsonOf([protocol, settings])],
  ])

/** Finds the datapoints of a connection among those of the same connection that are commissioned: by name, then by address. */
export const matchDatapoints = <Old extends NamedDatapoint, New extends NamedDatapoint>(
  before: readonly Old[],
  after: readonly New[],
): Found<Old, New> =>
  matchItems<NamedDatapoint, Old, New>(before, after, [
    ['name', ({ name }) => name],
    // Several datapoints may read one address, so the access type comes first.
    ['address', ({ accessType, data }) => jsonOf([accessType, data])],
    ['address', ({ data }) => jsonOf(data)],
  ])

/** Matches by one key after the other, each time only what has exactly one partner left: two candidates are none. */
function matchItems<Item, Old extends Item, New extends Item>(
  before: readonly Old[],
  after: readonly New[],
  keys: readonly (readonly [by: Match, keyOf: (item: Item) => string])[],
): Found<Old, New> {
  const found = new Map<New, { was: Old; by: Match }>()
  let left = before
  for (const [by, keyOf] of keys) {
    const old = Map.groupBy(left, keyOf)
    const next = Map.groupBy(
      after.filter((item) => !found.has(item)),
      keyOf,
    )
    for (const [key, [item, ...others]] of next) {
      const [was, ...more] = old.get(key) ?? []
      if (item && was && others.length === 0 && more.length === 0) found.set(item, { was, by })
    }
    const taken = new Set([...found.values()].map(({ was }) => was))
    left = left.filter((item) => !taken.has(item))
  }
  return found
}
