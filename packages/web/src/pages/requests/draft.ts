/** The part of a browser's storage that drafts need. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface Draft {
  read(): string
  /** Blank text is no draft. */
  write(text: string): void
}

/**
 * What somebody is writing, kept over a reload of the page and apart for each thing that they write. A browser that keeps nothing, or has no
 * room, loses only that.
 */
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
