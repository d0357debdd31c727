import type { Clock } from '@plantroom/base/clock'

/** How long a sum is believed: what other processes store and remove in the meantime is not in it. */
const BELIEVED_MS = 60_000

interface Sum {
  bytes: number
  listedAt: number
}

/** What organizations have stored, without a look at each file for each upload. */
export interface StoredBytes {
  /** True when `more` bytes fit. Never false without a new look at the files. */
  fit(organizationId: string, more: number, max: number): Promise<boolean>
  /** Counts an upload that has ended. */
  add(organizationId: string, bytes: number): void
}

export function createStoredBytes(list: (organizationId: string) => Promise<number>, clock: Clock): StoredBytes {
  const sums = new Map<string, Sum>()
  /** The lists that are under way, with what has been added since they began. */
  const listing = new Map<string, { added: number; sum: Promise<Sum> }>()

  async function listAnew(organizationId: string): Promise<Sum> {
    try {
      const listed = await list(organizationId)
      const sum = { bytes: listed + (listing.get(organizationId)?.added ?? 0), listedAt: clock.monotonic() }
      for (const [known, { listedAt }] of sums) if (isOld(listedAt)) sums.delete(known)
      sums.set(organizationId, sum)
      return sum
    } finally {
      listing.delete(organizationId)
    }
  }

  function look(organizationId: string): Promise<Sum> {
    const own = listing.get(organizationId) ?? { added: 0, sum: Promise.resolve().then(() => listAnew(organizationId)) }
    listing.set(organizationId, own)
    return own.sum
  }

  const isOld = (listedAt: number) => clock.monotonic() - listedAt >= BELIEVED_MS

  return {
    async fit(organizationId, more, max) {
      const known = sums.get(organizationId)
      if (known && !isOld(known.listedAt) && known.bytes + more <= max) return true
      return (await look(organizationId)).bytes + more <= max
    },
    add(organizationId, bytes) {
      const known = sums.get(organizationId)
      if (known) known.bytes += bytes
      const list = listing.get(organizationId)
      if (list) list.added += bytes
    },
  }
}
