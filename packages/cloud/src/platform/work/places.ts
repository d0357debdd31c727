/** What one process works on at the moment. */
export interface Places {
  readonly count: number
  /** How many have ended or left so far. */
  readonly done: number
  /** How many of each organization. */
  byOrganization(): ReadonlyMap<string, number>
  /** Returns what gives the place up before the work is done. */
  take(work: { readonly organizationId: string }, done: Promise<void>): () => void
  /** Resolves when one is free again. */
  one(): Promise<void>
  all(): Promise<void>
}

export function createPlaces(): Places {
  const running = new Map<Promise<void>, { readonly organizationId: string }>()
  let ended = 0
  return {
    get count() {
      return running.size
    },
    get done() {
      return ended
    },
    byOrganization() {
      const counts = new Map<string, number>()
      for (const { organizationId } of running.values())
        counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
      return counts
    },
    take(work, finished) {
      const left = Promise.withResolvers<void>()
      const done = Promise.race([finished, left.promise]).finally(() => {
        running.delete(done)
        ended += 1
      })
      running.set(done, work)
      return left.resolve
    },
    one: () => Promise.race(running.keys()),
    async all() {
      await Promise.all(running.keys())
    },
  }
}
