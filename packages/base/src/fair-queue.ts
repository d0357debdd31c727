/** A group has too many tasks waiting: the caller should try again later. */
export class QueueFull extends Error {}

interface Waiting {
  start(): void
}

/**
 * Runs tasks with a bounded number at a time. Groups are served in turn, and one group takes at most half of the places,
 * so that a group whose tasks hang never delays another.
 */
export class FairQueue {
  readonly #atOnce: number
  readonly #perGroup: number
  readonly #waitingPerGroup: number
  readonly #running = new Map<string, number>()
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  #taken = 0

  constructor({ atOnce, waitingPerGroup }: { atOnce: number; waitingPerGroup: number }) {
    this.#atOnce = atOnce
    this.#perGroup = Math.max(1, Math.floor(atOnce / 2))
    this.#waitingPerGroup = waitingPerGroup
  }

  /**
   * Runs a task when a place is free for its group. Rejects with `QueueFull` when too many of the group wait, and with the
   * reason of `signal` when it aborts before the task starts.
   */
  async run<Result>(group: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.#place(group, signal)
    try {
      return await task()
    } finally {
      this.#leave(group)
    }
  }

  #place(group: string, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    const queue = this.#waiting.get(group) ?? []
    if (queue.length >= this.#waitingPerGroup) return Promise.reject(new QueueFull(`${queue.length} tasks wait`))
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      const giveUp = () => {
        this.#remove(group, waiting)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#waiting.set(group, [...queue, waiting])
      this.#startNext()
    })
  }

  #startNext(): void {
    while (this.#taken < this.#atOnce) {
      const next = [...this.#waiting].find(([group]) => (this.#running.get(group) ?? 0) < this.#perGroup)
      const [group, [first]] = next ?? ['', []]
      if (!first) return
      this.#remove(group, first)
      // The group goes behind the others.
      const rest = this.#waiting.get(group)
      if (rest) {
        this.#waiting.delete(group)
        this.#waiting.set(group, rest)
      }
      this.#taken += 1
      this.#running.set(group, (this.#running.get(group) ?? 0) + 1)
      first.start()
    }
  }

  #leave(group: string): void {
    this.#taken -= 1
    const left = (this.#running.get(group) ?? 1) - 1
    if (left === 0) this.#running.delete(group)
    else this.#running.set(group, left)
    this.#startNext()
  }

  #remove(group: string, waiting: Waiting): void {
    const rest = (this.#waiting.get(group) ?? []).filter((one) => one !== waiting)
    if (rest.length === 0) this.#waiting.delete(group)
    else this.#waiting.set(group, rest)
  }
}
