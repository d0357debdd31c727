import type { DatapointValue } from '@plantroom/contract/values'

/** Whoever follows a device gets every broadcast as it is: what one cannot take at once, it must drop. */
export type Follower = (broadcast: string) => void

/** Passes on the live values that devices push. Nothing is kept: who does not follow has missed it. */
export interface Broadcasts {
  receive(deviceId: string, payload: Buffer): void
  /** The returned function ends it. */
  follow(deviceId: string, follower: Follower): () => void
}

/** A building of ten thousand datapoints takes less. */
const MAX_BYTES = 1024 * 1024

export function createBroadcasts(): Broadcasts {
  const followers = new Map<string, Set<Follower>>()

  return {
    receive(deviceId, payload) {
      const following = followers.get(deviceId)
      // Most of the time nobody looks: then it is not even read.
      if (!following || payload.length > MAX_BYTES) return
      const broadcast = readBroadcast(payload)
      if (broadcast !== undefined) for (const follower of following) follower(broadcast)
    },
    follow(deviceId, follower) {
      const following = followers.get(deviceId) ?? new Set()
      followers.set(deviceId, following)
      following.add(follower)
      return () => {
        following.delete(follower)
        if (following.size === 0 && followers.get(deviceId) === following) followers.delete(deviceId)
      }
    },
  }
}

/** The broadcast on one line of JSON; `undefined` when it is none. */
function readBroadcast(payload: Buffer): string | undefined {
  try {
    const { values } = JSON.parse(payload.toString()) as { values?: unknown }
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined
    return Object.values(values).every(isDatapointValue) ? JSON.stringify({ values }) : undefined
  } catch {
    return undefined
  }
}

function isDatapointValue(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  const { value, timestamp } = entry as Partial<Record<keyof DatapointValue, unknown>>
  return (value === null || Number.isFinite(value)) && typeof timestamp === 'string'
}
