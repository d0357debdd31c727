import { createKnownIds, type KnownIds } from './known-ids.ts'

/** The names used in one list. */
export interface NameSet {
  /** Returns false if the name was added before. */
  add(name: string): boolean
}

// Most lists have a handful of names. A compact set is worth its 50 kB only for long ones.
const FEW = 1000

/** Creates a set that stays small for a list of a million names. */
export function createNameSet(): NameSet {
  const few = new Set<string>()
  let many: KnownIds | undefined
  return {
    add(name) {
      if (few.has(name)) return false
      if (few.size < FEW) {
        few.add(name)
        return true
      }
      many ??= createKnownIds()
      return many.add(name)
    },
  }
}
