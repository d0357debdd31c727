import { type Clock, every } from '@plantroom/base/clock'

const HEARTBEAT_MS = 1_000
/** Five heartbeats: one that is late must not make every process store the same. */
const EXPIRY_MS = 5_000
/** Heartbeats that do not come back: the broker keeps them from us, so from the other processes, too. */
const UNHEARD = 5

/** The payload of the last heartbeat of a process, and its last will. */
export const LEAVING = Buffer.from('leaving')
const ALIVE = Buffer.from('alive')

/**
 * Decides which cloud process stores the batches of a device, where the broker gives every batch to all of them. The
 * live processes may see each other differently for some seconds. Then two store a batch, which changes nothing, or
 * none does, and the device sends it again.
 */
export interface BatchOwners {
  /** Takes a heartbeat of any process, this one included. */
  heard(cloudId: string, payload: Buffer): void
  /** Whether this process stores what this device sends. */
  owns(deviceId: string): boolean
  /** Announces to the other processes that they take over. */
  close(): void
}

export function createBatchOwners(deps: {
  cloudId: string
  clock: Clock
  /** Sends a heartbeat to all processes. Returns false when there is no connection. */
  announce(payload: Buffer): boolean
  /** The heartbeats of this process reach nobody, so that every process stores everything. */
  unheard(): void
}): BatchOwners {
  const { cloudId, clock } = deps
  let unheard = 0
  const announce = (payload: Buffer) => {
    if (deps.announce(payload)) unheard += 1
    if (unheard === UNHEARD) deps.unheard()
  }
  const own = { hash: hashOf(cloudId), id: cloudId }
  const others = new Map<string, { hash: number; heardAt: number }>()

  const stop = every(clock, HEARTBEAT_MS, () => {
    const now = clock.monotonic()
    for (const [id, { heardAt }] of others) if (now - heardAt > EXPIRY_MS) others.delete(id)
    announce(ALIVE)
  })
  announce(ALIVE)

  return {
    heard(id, payload) {
      if (id === cloudId) {
        unheard = Number.NEGATIVE_INFINITY
        return
      }
      if (payload.equals(LEAVING)) others.delete(id)
      else {
        // Answered at once, so that a process that starts knows the others before its first batch.
        if (!others.has(id)) announce(ALIVE)
        others.set(id, { hash: hashOf(id), heardAt: clock.monotonic() })
      }
    },
    owns(deviceId) {
      if (others.size === 0) return true
      const device = hashOf(deviceId)
      const score = mix(device ^ own.hash)
      for (const [id, { hash }] of others) {
        const other = mix(device ^ hash)
        if (other > score || (other === score && id > own.id)) return false
      }
      return true
    },
    close() {
      stop()
      announce(LEAVING)
    },
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** The last step of MurmurHash3, so that scores of one device are independent. */
function mix(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
