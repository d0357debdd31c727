/** The kinds of request, the most urgent first. */
const LANES = ['release', 'setpoint', 'probe', 'urgent', 'poll'] as const
export type Lane = (typeof LANES)[number]

// Polls must be sent even during many writes: a value that is never read again would pass for a live one.
const MAX_URGENT_IN_A_ROW = 10

/**
 * The queue for one socket. Releases go first, then setpoints, probes, urgent reads and polls: a probe without an answer
 * saves all reads of that unit. Within a lane, users take turns. After ten setpoints and urgent reads in a row, one poll
 * goes first. Releases never wait for a poll.
 */
export class RequestQueue<User, Item> {
  readonly #users = new Map<User, Record<Lane, Item[]>>()
  readonly #waiting: Record<Lane, number> = { release: 0, setpoint: 0, probe: 0, urgent: 0, poll: 0 }
  #urgentInARow = 0

  join(user: User): void {
    this.#users.set(user, { release: [], setpoint: [], probe: [], urgent: [], poll: [] })
  }

  has(user: User): boolean {
    return this.#users.has(user)
  }

  users(): Iterable<User> {
    return this.#users.keys()
  }

  isEmpty(): boolean {
    return this.#users.size === 0
  }

  /** Removes the user and returns its queued requests. */
  leave(user: User): readonly Item[] {
    const lanes = this.#users.get(user)
    if (!lanes) return []
    this.#users.delete(user)
    return LANES.flatMap((lane) => {
      this.#waiting[lane] -= lanes[lane].length
      return lanes[lane]
    })
  }

  /** Queues a request. Returns false if the user has left. */
  add(user: User, lane: Lane, item: Item): boolean {
    const lanes = this.#users.get(user)
    if (!lanes) return false
    lanes[lane].push(item)
    this.#waiting[lane] += 1
    return true
  }

  /** Puts a request that was taken back at the front of its lane. Returns false if the user has left. */
  putBack(user: User, lane: Lane, item: Item): boolean {
    const lanes = this.#users.get(user)
    if (!lanes) return false
    lanes[lane].unshift(item)
    this.#waiting[lane] += 1
    return true
  }

  /**
   * Returns true if a queued request should not wait long for this one: a write for a read or for a write of another
   * user, whose own writes must stay in order, and an urgent read for a poll or a probe.
   */
  hasMoreUrgent(user: User, lane: Lane): boolean {
    const { release, setpoint, urgent } = this.#waiting
    if (lane === 'poll' || lane === 'probe') return release + setpoint + urgent > 0
    if (lane === 'urgent') return release + setpoint > 0
    const own = this.#users.get(user)
    return release + setpoint > (own ? own.release.length + own.setpoint.length : 0)
  }

  /**
   * Queues a release. Setpoints of the user for the same registers that are already queued stay ahead of it: sent
   * afterwards, they would undo the release.
   */
  addRelease(user: User, item: Item, isSameTarget: (setpoint: Item) => boolean): boolean {
    const lanes = this.#users.get(user)
    const overtaken = lanes?.setpoint.filter(isSameTarget) ?? []
    if (lanes && overtaken.length > 0) {
      lanes.setpoint = lanes.setpoint.filter((setpoint) => !overtaken.includes(setpoint))
      lanes.release.push(...overtaken)
      this.#waiting.setpoint -= overtaken.length
      this.#waiting.release += overtaken.length
    }
    return this.add(user, 'release', item)
  }

  next(): { user: User; item: Item } | undefined {
    const release = this.#take('release')
    if (release) return release
    const isPollsTurn = this.#urgentInARow >= MAX_URGENT_IN_A_ROW && this.#waiting.poll > 0
    const urgent = isPollsTurn ? undefined : (this.#take('setpoint') ?? this.#take('probe') ?? this.#take('urgent'))
    this.#urgentInARow = urgent ? this.#urgentInARow + 1 : 0
    return urgent ?? this.#take('poll')
  }

  #take(lane: Lane): { user: User; item: Item } | undefined {
    if (this.#waiting[lane] === 0) return undefined
    for (const [user, lanes] of this.#users) {
      const item = lanes[lane].shift()
      if (item === undefined) continue
      this.#waiting[lane] -= 1
      // Moves the user to the end, so that the others go first next time.
      if (this.#users.size > 1) {
        this.#users.delete(user)
        this.#users.set(user, lanes)
      }
      return { user, item }
    }
    return undefined
  }
}
