/**
 * State in memory that goes with a transaction: a change is seen by whoever comes after it in the same transaction,
 * and is taken back when the change is refused or the transaction does not come about.
 */
export interface StagedMap<Key, Value> {
  get(key: Key): Value | undefined
  /** Only inside a change. `undefined` removes. */
  set(key: Key, value: Value | undefined): void
  /** What was kept, without what is under way. */
  readonly kept: ReadonlyMap<Key, Value>
}

/** How a transaction decides on what was staged: each change first, then all of them together. */
export interface Stage {
  endChange(keep: boolean): void
  endTransaction(keep: boolean): void
  /** Everything that was kept can be read from the disk now. */
  written(): void
}

export function createStagedMap<Key, Value>(
  initial: Iterable<readonly [Key, Value]> = [],
  /** False: nothing is left of it when it can be read from the disk. */
  lasting = true,
): StagedMap<Key, Value> & Stage {
  const kept = new Map<Key, Value>(initial)
  const transaction = new Map<Key, Value | undefined>()
  const change = new Map<Key, Value | undefined>()

  return {
    kept,
    get(key) {
      if (change.has(key)) return change.get(key)
      return transaction.has(key) ? transaction.get(key) : kept.get(key)
    },
    set: (key, value) => void change.set(key, value),
    endChange(keep) {
      if (keep) for (const [key, value] of change) transaction.set(key, value)
      change.clear()
    },
    endTransaction(keep) {
      if (keep) {
        for (const [key, value] of transaction) {
          if (value === undefined) kept.delete(key)
          else kept.set(key, value)
        }
      }
      transaction.clear()
    },
    written() {
      if (!lasting) kept.clear()
    },
  }
}
