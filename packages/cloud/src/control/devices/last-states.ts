import { isDeepStrictEqual } from 'node:util'
import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { type ControlState, MAX_STATE_BYTES } from '@plantroom/contract/control-state'
import { readReplyIfValid } from './ask.ts'
import type { DeviceStateStore, KeptState, NewState } from './device-state-store.ts'

/** Waiting to be stored. A message beyond it is ignored: the controller repeats it. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024
const FLUSH_MS = 1_000
/** An unchanged state is stored again after this time, for the values and for its age. */
const REPEAT_MS = 60_000

interface LastStateDeps {
  store: DeviceStateStore
  findDevice(deviceId: string): object | undefined
  clock: Clock
  log: Log
}

/** Keeps the last state of each device: what it published, and the answers to polls. */
export interface LastStates {
  /** Takes a state message. The device is authenticated; the payload is not validated. */
  receive(deviceId: string, payload: Buffer): void
  /** Takes the answer to a poll, and stores it if it differs. */
  polled(deviceId: string, state: ControlState): void
  find(deviceId: string): Promise<KeptState | undefined>
  /** Calls the watcher with every state. It must not throw. */
  watch(watcher: (deviceId: string, state: ControlState) => void): void
  /** Stores what is left. */
  close(): Promise<void>
}

export function createLastStates(deps: LastStateDeps): LastStates {
  const { store, findDevice, clock, log } = deps
  let waiting = new Map<string, NewState>()
  let waitingBytes = 0
  let last = Promise.resolve()
  const watchers: ((deviceId: string, state: ControlState) => void)[] = []
  /** What was last polled of each device, while it is. */
  const polls = new Map<string, { shape: unknown; at: number; deviceTime: number }>()

  function flush(): void {
    for (const [deviceId, { at }] of polls) if (clock.now() - at > 2 * REPEAT_MS) polls.delete(deviceId)
    if (waiting.size === 0) return
    const taken = [...waiting.values()]
    waiting = new Map()
    waitingBytes = 0
    last = last
      .then(() => store.save(taken))
      .catch((error: Error) => log.warn({ error: error.message }, 'could not store the states of devices'))
  }
  const stop = every(clock, FLUSH_MS, flush)

  function keep(deviceId: string, state: ControlState, bytes: number, hasAllValues: boolean): void {
    waitingBytes += bytes
    waiting.set(deviceId, { deviceId, receivedAt: clock.now(), state, hasAllValues })
  }

  return {
    receive(deviceId, payload) {
      if (payload.length > MAX_STATE_BYTES || waitingBytes > MAX_WAITING_BYTES || !findDevice(deviceId)) return
      const state = readReplyIfValid('getControlState', payload)
      if (!state) return log.debug({ device: deviceId }, 'ignored a state message that is not one')
      for (const watcher of watchers) watcher(deviceId, state)
      // It may have been overtaken by the answer to a poll. A longer time back is a clock that was set.
      const late = (polls.get(deviceId)?.deviceTime ?? 0) - Date.parse(state.at)
      if (late > 0 && late < REPEAT_MS) return
      // Its values of some datapoints must not replace those of all.
      if (waiting.get(deviceId)?.hasAllValues) flush()
      keep(deviceId, state, payload.length, false)
    },
    polled(deviceId, state) {
      if (waitingBytes > MAX_WAITING_BYTES || !findDevice(deviceId)) return
      const shape = shapeOf(state)
      const before = polls.get(deviceId)
      if (before && clock.now() - before.at < REPEAT_MS && isDeepStrictEqual(before.shape, shape)) {
        before.deviceTime = Date.parse(state.at)
        return
      }
      polls.set(deviceId, { shape, at: clock.now(), deviceTime: Date.parse(state.at) })
      keep(deviceId, state, JSON.stringify(state).length, true)
    },
    watch: (watcher) => void watchers.push(watcher),
    async find(deviceId) {
      if (waiting.has(deviceId)) flush()
      await last
      return store.find(deviceId)
    },
    close() {
      stop()
      flush()
      return last
    },
  }
}

/** What counts as a change: neither times nor values. */
function shapeOf(state: ControlState): unknown {
  const { clockSuspect, connections, holds, overrides, notes, powerLimit, rolledBack } = state
  const links = connections.map(({ connectionId, status }) => [connectionId, status])
  const limited = powerLimit && [powerLimit.state, powerLimit.importKw, powerLimit.exportKw, powerLimit.limits]
  return [clockSuspect, links, holds, overrides, notes, limited, rolledBack]
}
