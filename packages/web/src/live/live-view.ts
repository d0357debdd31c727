import type { LiveDevice } from '@plantroom/contract/control-state'
import type { StreamState } from './event-stream.ts'

/** What is known of a controller, and how well. */
export interface LiveView {
  /** The latest state of the controller; `undefined` before the first one. */
  device: LiveDevice | undefined
  /** When that state arrived at the service or here, by the clock of the service. */
  receivedAt: number
  /** True while the state is the one that the service kept from before the controller fell silent. */
  isStored: boolean
  /** True while the state is the one that this browser remembers from its last visit: nobody has answered yet. */
  isRemembered: boolean
  /** True while the controller does not answer. */
  isOffline: boolean
  stream: StreamState
  /** When the last event of the stream arrived; 0 before the first one. */
  heardAt: number
}

export const NOTHING_HEARD: LiveView = {
  device: undefined,
  receivedAt: 0,
  isStored: false,
  isRemembered: false,
  isOffline: false,
  stream: 'opening',
  heardAt: 0,
}

/** The events of a controller's live stream. The text of `offline` is a hint for programs. */
export const LIVE_EVENTS = ['state', 'last-known', 'offline'] as const

interface LastKnown {
  ageMs: number
  state: LiveDevice
}

/** Returns the view after an event of the stream. */
export function afterEvent(before: LiveView, name: string, data: unknown, now: number): LiveView {
  const heard = { ...before, heardAt: now, isRemembered: false }
  if (name === 'offline') return { ...heard, isOffline: true }
  if (name === 'state') {
    return { ...heard, device: data as LiveDevice, receivedAt: now, isStored: false, isOffline: false }
  }
  const { ageMs, state } = data as LastKnown
  const receivedAt = now - ageMs
  // What this page received itself is at least as new, unless the controller has said something since.
  if (before.device && !before.isStored && before.receivedAt >= receivedAt) return heard
  return { ...heard, device: state, receivedAt, isStored: true }
}

/** A state with the time at which it arrived. */
export type KnownState = Pick<LiveView, 'device' | 'receivedAt'>

/** Returns the view of what this browser remembers. */
export const rememberedView = (known: KnownState): LiveView => ({
  ...NOTHING_HEARD,
  ...known,
  isStored: true,
  isRemembered: true,
})

/** Returns the view after a change of its stream. */
export function afterState(before: LiveView, stream: StreamState): LiveView {
  return before.stream === stream ? before : { ...before, stream }
}

/** The service asks a controller every two seconds: after this much time it does not answer. */
const STALE_AFTER_MS = 15_000

/** Returns the age from which on a value is old: three polls of its connection, and never less than a silent controller. */
export const oldAfterMs = ({ pollSeconds }: Readonly<Record<string, unknown>>): number =>
  Math.max(STALE_AFTER_MS, 3000 * (typeof pollSeconds === 'number' ? pollSeconds : 1))

/** How well a state is known: live, or why it is not. */
export type Freshness = 'waiting' | 'live' | 'offline' | 'slow' | 'lost'

/**
 * Returns whether a controller is online. Only its own answer proves that: a broker counts a controller as linked for
 * half a minute after it has fallen silent.
 */
export function onlineOf(freshness: Freshness, isLinked: boolean): 'online' | 'offline' | 'noAnswerYet' | 'unknown' {
  if (freshness === 'live') return 'online'
  if (freshness === 'lost') return 'unknown'
  return freshness === 'offline' || !isLinked ? 'offline' : 'noAnswerYet'
}

/** Returns how well the state is known at a moment. `waiting`: nothing has arrived yet, and something still may. */
export function freshnessOf(view: LiveView, now: number): Freshness {
  const { device, receivedAt, isStored, isRemembered, isOffline, stream } = view
  if (stream === 'lost' || isRemembered) return 'lost'
  if (isOffline) return 'offline'
  if (!device) return 'waiting'
  return isStored || now - receivedAt > STALE_AFTER_MS ? 'slow' : 'live'
}

/**
 * Returns the current time by the controller's clock, which dates the values it reads: its last reading plus the time
 * since. Ends of overrides are in the time of the service.
 */
export function deviceNow({ device, receivedAt }: Pick<LiveView, 'device' | 'receivedAt'>, now: number): number {
  return device ? Date.parse(device.at) + Math.max(0, now - receivedAt) : now
}

/** Returns who does not answer; `undefined` while the state is live or may still arrive. */
export function silentOf(freshness: Freshness): 'controller' | 'service' | undefined {
  if (freshness === 'lost') return 'service'
  return freshness === 'live' || freshness === 'waiting' ? undefined : 'controller'
}
