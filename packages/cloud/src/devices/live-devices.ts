import { randomUUID } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { Dispatch } from './dispatch.ts'
import { createPlacerNames } from './placer-names.ts'
import type { PlacerStore } from './placer-store.ts'
import { readControlState } from './read-control-state.ts'

/** From one answer of a device to the next time that it is asked. */
const PAUSE_MS = 2_000

/** What is told of a device: its state as JSON on one line, or why there is none. */
export interface LiveEvent {
  event: 'state' | 'offline'
  data: string
}

export type LiveFollower = (event: LiveEvent) => void

/** Asks devices again and again what they are at, each for all who follow it together, and only while somebody does. */
export interface LiveDevices {
  /** The last that was heard is told at once, where there is any. The returned function ends it. */
  follow(device: { id: string; organizationId: string }, follower: LiveFollower): () => void
  close(): void
}

interface Poller {
  followers: Set<LiveFollower>
  last: LiveEvent | undefined
  cancelPause(): void
}

export function createLiveDevices(deps: {
  dispatch: Dispatch
  placers: PlacerStore
  clock: Clock
  log: Log
}): LiveDevices {
  const { dispatch, placers, clock, log } = deps
  const pollers = new Map<string, Poller>()
  let closed = false

  function startPoller(device: { id: string; organizationId: string }): Poller {
    const poller: Poller = { followers: new Set(), last: undefined, cancelPause: () => {} }
    const names = createPlacerNames({ store: placers, organizationId: device.organizationId, log })

    async function ask(): Promise<LiveEvent> {
      try {
        const request = { reqId: randomUUID(), keyId: 'operator', data: {} }
        const state = readControlState(await dispatch(device.id, 'getControlState', request))
        return { event: 'state', data: JSON.stringify(await names.addTo(state)) }
      } catch (error) {
        if (!(error instanceof Failure))
          log.error({ err: error, deviceId: device.id }, 'a device could not be followed')
        return { event: 'offline', data: JSON.stringify({ message: whyNot(error) }) }
      }
    }

    async function poll(): Promise<void> {
      // Whoever comes back within the pause finds the last that was heard, and no device is asked more often for it.
      if (poller.followers.size === 0) {
        pollers.delete(device.id)
        return
      }
      const heard = await ask()
      if (closed) return
      poller.last = heard
      for (const follower of poller.followers) follower(heard)
      poller.cancelPause = clock.after(PAUSE_MS, poll)
    }

    pollers.set(device.id, poller)
    // The first one follows by then.
    queueMicrotask(poll)
    return poller
  }

  return {
    follow(device, follower) {
      const poller = pollers.get(device.id) ?? startPoller(device)
      poller.followers.add(follower)
      if (poller.last) follower(poller.last)
      return () => void poller.followers.delete(follower)
    },
    close() {
      closed = true
      for (const { cancelPause } of pollers.values()) cancelPause()
      pollers.clear()
    },
  }
}

function whyNot(error: unknown): string {
  if (!(error instanceof Failure)) return 'the state of the device cannot be told: something went wrong in the service'
  const isTooOld = error.kind === 'rejected' && error.message.includes('does not know the command')
  return isTooOld ? 'the software of this device is too old to be followed: update the device' : error.message
}
