const SHORTEST_MS = 1000
const LONGEST_MS = 60_000

/** Remembers why something failed and leaves it alone for a while: 1 s, doubling with each failure to 60 s. */
export class Backoff<Reason> {
  #reason: Reason | undefined
  #waitMs = SHORTEST_MS
  #until = Number.NEGATIVE_INFINITY

  /** The reason to leave it alone at `now`, if there is one. */
  standing(now: number): Reason | undefined {
    return now < this.#until ? this.#reason : undefined
  }

  failed(reason: Reason, now: number): void {
    this.#reason = reason
    this.#until = now + this.#waitMs
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_MS)
  }

  succeeded(): void {
    this.#reason = undefined
    this.#waitMs = SHORTEST_MS
    this.#until = Number.NEGATIVE_INFINITY
  }
}
