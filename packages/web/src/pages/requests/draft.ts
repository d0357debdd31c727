/** The part of a browser's storage that drafts need. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Draft {
  read(): string
  /** Blank text removes the draft. */
  write(text: string): void
}

/** Keeps an unsent text across reloads, per key. Without working browser storage, only that is lost. */
export function createDraft(storage: () => DraftStorage, key: string): Draft {
  const place = `plantroom-draft ${key}`
  return {
    read: () => attempt(() => storage().getItem(place)) ?? '',
    write(text) {
      attempt(() => (text.trim() === '' ? storage().removeItem(place) : storage().setItem(place, text)))
    },
  }
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
