const KEY = 'plantroom-package-files'
const MOST = 100

/** Which file a job was about. A job does not say so itself; this browser remembers the last hundred of its own. */
export function createKnownFiles(storage: () => Pick<Storage, 'getItem' | 'setItem'>) {
  function read(): [jobId: string, file: string][] {
    try {
      const known: unknown = JSON.parse(storage().getItem(KEY) ?? '[]')
      return Array.isArray(known) ? known.filter(isPair) : []
    } catch {
      return []
    }
  }
  return {
    of: (jobId: string) => read().find(([known]) => known === jobId)?.[1],
    remember(jobId: string, file: string): void {
      const others = read().filter(([known]) => known !== jobId)
      try {
        storage().setItem(KEY, JSON.stringify([[jobId, file], ...others].slice(0, MOST)))
      } catch {
        // A browser that keeps nothing for us: the name is in the address still.
      }
    },
  }
}

function isPair(known: unknown): known is [string, string] {
  return Array.isArray(known) && known.length === 2 && known.every((part) => typeof part === 'string')
}

export const knownFiles = createKnownFiles(() => localStorage)
