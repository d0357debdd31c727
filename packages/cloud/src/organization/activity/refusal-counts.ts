import type { ActingParty } from './happened.ts'

/** Different refusals of callers who proved who they are, and again of strangers. The others are only counted. */
export const MAX_REFUSALS = 200
/** Different refusals of strangers from one network. The others become one. */
export const MAX_PER_NETWORK = 10

/** A caller who was refused. */
export interface Refusal {
  action: 'refused' | 'sign-in-failed'
  /** For example `permission`. Together with the network and who it is about, it makes two refusals the same. */
  reason: string
  /** Instead of an address: callers can choose the second half of an IPv6 address. */
  network: string
  /** Nobody, unless the caller proved who they are. */
  by?: Pick<ActingParty, 'kind' | 'id' | 'name'> | undefined
  /** The log that it belongs to, if the caller may be trusted with that. */
  organizationId?: string | undefined
  /** The key that was sent, which need not exist. Its organization's log is looked up. */
  keyId?: string | undefined
  /** The account that was tried. Its organizations' logs are looked up. */
  person?: { id: string; email: string } | undefined
  /** The method and path pattern that was called. */
  route?: string | undefined
}

export interface CountedRefusal extends Refusal {
  count: number
  firstAt: number
  lastAt: number
}

/**
 * Counts refusals in bounded memory. Strangers can neither use up the room of callers who proved who they are, nor one
 * network that of the others.
 */
export function createRefusalCounts(now: () => number) {
  let proved = new Map<string, CountedRefusal>()
  let strangers = new Map<string, CountedRefusal>()
  let perNetwork = new Map<string, number>()
  let others = 0

  /** True when the refusal is counted as one of this kind. */
  function count(pool: Map<string, CountedRefusal>, id: string, refusal: Refusal): boolean {
    const before = pool.get(id)
    if (before) {
      before.count += 1
      before.lastAt = now()
    } else if (pool.size < MAX_REFUSALS) {
      pool.set(id, { ...refusal, count: 1, firstAt: now(), lastAt: now() })
    }
    return before !== undefined || pool.has(id)
  }

  function countStranger(id: string, refusal: Refusal): boolean {
    const { network } = refusal
    const different = perNetwork.get(network) ?? 0
    // Nothing but the network is known for certain, and the rest may be made up.
    const many = { action: 'refused', reason: 'many', network } as const
    if (!strangers.has(id) && different >= MAX_PER_NETWORK) return count(strangers, `many ${network}`, many)
    if (!strangers.has(id) && strangers.size < MAX_REFUSALS) perNetwork.set(network, different + 1)
    return count(strangers, id, refusal)
  }

  return {
    add(refusal: Refusal): void {
      const { action, reason, network, by, keyId, person, organizationId } = refusal
      const id = [action, reason, network, by?.id, keyId, person?.id, organizationId].join(' ')
      const isCounted = by ? count(proved, id, refusal) : countStranger(id, refusal)
      if (!isCounted) others += 1
    },

    /** Returns what was counted and starts over. `others` is the number of refusals that had no room. */
    take(): { refusals: CountedRefusal[]; others: number } {
      const taken = { refusals: [...proved.values(), ...strangers.values()], others }
      ;[proved, strangers, perNetwork, others] = [new Map(), new Map(), new Map(), 0]
      return taken
    },
  }
}
