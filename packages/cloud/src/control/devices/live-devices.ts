import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { OverrideView } from '../../organization/access/index.ts'
import type { Ask } from './ask.ts'
import type { CallerNameStore } from './caller-name-store.ts'
import { type CallerNames, createCallerNames, type NamedState } from './caller-name-store.ts'
import type { LastStates } from './last-states.ts'
import { visibleTo } from './live-view.ts'
import type { OverrideReleaseStore } from './override-release-store.ts'

/** From one answer of a device to the next poll. */
const PAUSE_MS = 2_000

/** Without an answer for this long, followers get the last known state. */
const PATIENCE_MS = 1_000
/** The same for a device that answered the question before: a slow answer now and then is no silence. */
const SILENCE_MS = 3_000

/** One event for followers: the state of the device, its last known state, or the reason there is none. */
export interface LiveEvent {
  event: 'state' | 'last-known' | 'offline'
  /** The data as one line of JSON, with the ids that this view shows. */
  dataFor(view: OverrideView): string
}

type LiveFollower = (event: LiveEvent) => void

/** Polls the control state of devices that someone follows. All followers of a device share one poller. */
export interface LiveDevices {
  /**
   * Sends the latest event, if there is one, immediately; before an `offline`, also the last known state. A `fresh`
   * follower gets no state that was asked for before. The returned function unsubscribes.
   */
  follow(device: FollowedDevice, follower: LiveFollower, how?: { fresh: boolean }): () => void
  close(): void
}

interface FollowedDevice {
  id: string
  organizationId: string
}

interface LiveDeps {
  ask: Ask
  callers: CallerNameStore
  states: Pick<LastStates, 'polled' | 'find'>
  releases: Pick<OverrideReleaseStore, 'pending'>
  clock: Clock
  log: Log
}

/** A state of a device, and when it arrived. */
interface Known {
  state: NamedState
  receivedAt: number
}

interface Poller {
  device: FollowedDevice
  names: CallerNames
  /** With the number of the last poll whose answer they do not get. */
  followers: Map<LiveFollower, number>
  /** How many polls have begun. */
  polls: number
  isPaused: boolean
  /** The latest event that still holds: not the state of a device that has fallen silent since. */
  last: LiveEvent | undefined
  /** The latest answer of the device. */
  answered: Known | undefined
  /** What was known before the device fell silent, and the releases that waited. Not while it answers. */
  known: { event: LiveEvent; receivedAt: number; pending: string | undefined } | undefined
  cancelPause(): void
  cancelPatience(): void
}

export function createLiveDevices(deps: LiveDeps): LiveDevices {
  const { callers, clock, log } = deps
  const pollers = new Map<string, Poller>()
  let closed = false

  const notify = (poller: Poller, event: LiveEvent, poll = Number.POSITIVE_INFINITY) => {
    for (const [follower, tooEarly] of poller.followers) if (poll > tooEarly) follower(event)
  }

  async function poll(poller: Poller): Promise<void> {
    // Checked after the pause, so that a follower who returns within it gets the latest event and no extra poll.
    if (poller.followers.size === 0) {
      pollers.delete(poller.device.id)
      return
    }
    poller.isPaused = false
    poller.polls += 1
    const { polls: number } = poller
    const patienceMs = poller.last?.event === 'state' ? SILENCE_MS : PATIENCE_MS
    poller.cancelPatience = clock.after(patienceMs, () => tellKnown(poller))
    const event = await readEvent(poller, deps)
    poller.cancelPatience()
    if (closed) return
    if (event.event === 'state') poller.known = undefined
    else await tellKnown(poller)
    if (closed) return
    poller.last = event
    notify(poller, event, number)
    poller.isPaused = true
    poller.cancelPause = clock.after(PAUSE_MS, () => poll(poller))
  }

  /** Sends the last known state, unless it was sent before. The latest state is no longer current from then on. */
  async function tellKnown(poller: Poller): Promise<void> {
    const asked = poller.last
    const known = await readKnown(poller, deps)
    // The device may have answered while that was read.
    if (!known || closed || poller.last !== asked) return
    if (asked?.event === 'state') poller.last = undefined
    const { receivedAt, state } = known
    const pending = JSON.stringify(state.pendingReleases)
    if (receivedAt === poller.known?.receivedAt && pending === poller.known.pending) return
    poller.known = { receivedAt, pending, event: knownEvent(state, receivedAt, clock) }
    notify(poller, poller.known.event)
  }

  function startPoller(device: FollowedDevice): Poller {
    const names = createCallerNames({ store: callers, organizationId: device.organizationId, log })
    const nothing = {
      last: undefined,
      answered: undefined,
      known: undefined,
      cancelPause: () => {},
      cancelPatience: () => {},
    }
    const poller: Poller = { device, names, followers: new Map(), polls: 0, isPaused: false, ...nothing }
    pollers.set(device.id, poller)
    // Deferred until the first follower is added.
    queueMicrotask(() => poll(poller))
    return poller
  }

  return {
    follow(device, follower, { fresh } = { fresh: false }) {
      const poller = pollers.get(device.id) ?? startPoller(device)
      poller.followers.set(follower, fresh ? poller.polls : 0)
      if (poller.known) follower(poller.known.event)
      if (poller.last && !fresh) follower(poller.last)
      if (fresh && poller.isPaused) {
        poller.cancelPause()
        void poll(poller)
      }
      return () => void poller.followers.delete(follower)
    },
    close() {
      closed = true
      for (const { cancelPause, cancelPatience } of pollers.values()) {
        cancelPause()
        cancelPatience()
      }
      pollers.clear()
    },
  }
}

async function readEvent(poller: Poller, deps: LiveDeps): Promise<LiveEvent> {
  const { ask, states, clock, log } = deps
  const { device, names } = poller
  try {
    const polled = await ask(device.id, 'getControlState', {})
    const receivedAt = clock.now()
    states.polled(device.id, polled)
    const state = await withReleases(device, await names.addTo(polled), deps)
    poller.answered = { state, receivedAt }
    return stateEvent(state)
  } catch (error) {
    if (error instanceof Failure) return offlineEvent(error.message)
    log.error({ err: error, deviceId: device.id }, 'could not read the state of a device')
    return offlineEvent('the service could not read the state of the device: try again, and check its log')
  }
}

/** Writes the JSON of each view once, however many followers have it. */
function stateEvent(state: NamedState): LiveEvent {
  const written = new Map<OverrideView, string>()
  return {
    event: 'state',
    dataFor(view) {
      const data = written.get(view) ?? JSON.stringify(visibleTo(view, state))
      written.set(view, data)
      return data
    },
  }
}

/** Returns the latest answer, or what was stored of the device if that is newer. */
async function readKnown({ device, names, answered }: Poller, deps: LiveDeps): Promise<Known | undefined> {
  const { states, log } = deps
  try {
    const found = await states.find(device.id)
    const isNewer = found && !(answered && answered.receivedAt >= found.receivedAt)
    const known = isNewer ? { receivedAt: found.receivedAt, state: await names.addTo(found.state) } : answered
    return known && { ...known, state: await withReleases(device, known.state, deps) }
  } catch (error) {
    log.warn({ err: error, deviceId: device.id }, 'could not read the last known state of a device')
    return answered
  }
}

/** Adds the releases that the device has not confirmed. The state is useful without them. */
async function withReleases(
  { id }: FollowedDevice,
  state: NamedState,
  { releases, log }: LiveDeps,
): Promise<NamedState> {
  try {
    const pendingReleases = await releases.pending(id)
    return pendingReleases.length === 0 ? state : { ...state, pendingReleases }
  } catch (error) {
    log.warn({ err: error, deviceId: id }, 'could not read which releases wait for a device')
    return state
  }
}

/** The age is that of the moment in which it is sent: the clock of a browser may be wrong. */
function knownEvent(state: NamedState, receivedAt: number, clock: Clock): LiveEvent {
  return {
    event: 'last-known',
    dataFor: (view) => JSON.stringify({ ageMs: Math.max(0, clock.now() - receivedAt), state: visibleTo(view, state) }),
  }
}

function offlineEvent(message: string): LiveEvent {
  const data = JSON.stringify({ message })
  return { event: 'offline', dataFor: () => data }
}
