/** What the console needs of the storage of a browser. */
export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The storage of the browser; `undefined` when the browser denies it. */
export function browserStorage(): BrowserStorage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}
