/** What a person has written and not saved, of any page. */
interface Unsaved {
  work: unknown
  isUnsaved(): boolean
}

/**
 * What the person in this tab has written and not saved. It survives visits to other pages and a session that ended; the
 * browser asks before the tab is closed. Only in memory, because files have passwords.
 */
export function createUnsavedWork() {
  const kept = new Map<string, Unsaved>()
  let owner: string | undefined
  return {
    /** Returns what was kept under a key, unless it has been saved since. */
    find: <Work>(key: string): Work | undefined => {
      const found = kept.get(key)
      return found?.isUnsaved() ? (found.work as Work) : undefined
    },
    keep<Work>(key: string, work: Work, isUnsaved: () => boolean): void {
      kept.set(key, { work, isUnsaved })
    },
    hasAny: (): boolean => [...kept.values()].some(({ isUnsaved }) => isUnsaved()),
    /** Forgets what someone else wrote. */
    begin(userId: string): void {
      if (owner !== userId) kept.clear()
      owner = userId
    },
    forget(): void {
      kept.clear()
    },
  }
}

export const unsavedWork = createUnsavedWork()

if (typeof window !== 'undefined') {
  window.addEventListener('beforeunload', (event) => {
    if (unsavedWork.hasAny()) event.preventDefault()
  })
}
