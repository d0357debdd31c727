/** The moment under the pointer, followed by the legend alone: the lines need not be drawn again. */
export interface Cursor {
  get: () => number | undefined
  set: (at: number | undefined) => void
  subscribe: (listener: () => void) => () => void
}

export function createCursor(): Cursor {
  let current: number | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(at) {
      if (at === current) return
      current = at
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
