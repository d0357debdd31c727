/**
 * State in memory that follows a transaction: later changes in the same transaction see it, and it is rolled back when
 * the change is rejected or the transaction fails.
 */
export interface StagedMap<Key, Value> {
  get(key: Key): Value | undefined
  /** Call only inside a change. `undefined` removes the key. */
  set(key: Key, value: Value | undefined): void
  /** The committed state, without the transaction under way. */
  readonly kept: ReadonlyMap<Key, Value>
}

/** Ends staged changes: first each change, then the transaction with all of them. */
export interface Stage {
  endChange(keep: boolean): void
  endTransaction(keep: boolean): void
  /** Everything committed can be read from the disk now. */
  written(): void
}

export function createStagedMap<Key, Value>(
  initial: Iterable<readonly [Key, Value]> = [],
  /** False empties the map once its contents can be read from the disk. */
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
