import type { DatapointValue } from '@plantroom/contract/values'

/** Gets every broadcast of a device. A slow follower must drop what it cannot handle immediately. */
type Follower = (broadcast: string) => void

/** Passes the values that devices broadcast on to followers. Nothing is stored. */
export interface Broadcasts {
  receive(deviceId: string, payload: Buffer): void
  /** The returned function unsubscribes. */
  follow(deviceId: string, follower: Follower): () => void
}

/** More than a building with ten thousand datapoints needs. */
const MAX_BYTES = 1024 * 1024

export function createBroadcasts(): Broadcasts {
  const followers = new Map<string, Set<Follower>>()

  return {
    receive(deviceId, payload) {
      const following = followers.get(deviceId)
      // Most broadcasts have no followers and need not be parsed.
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

/** Returns a broadcast as one line of JSON; `undefined` for an invalid payload. */
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
