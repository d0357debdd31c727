import { type Clock, every } from '@plantroom/base/clock'
import { type ControlState, MAX_STATE_BYTES } from '@plantroom/contract/control-state'
import type { PowerLimitState } from '@plantroom/contract/power-limit'
import { topics } from '@plantroom/contract/topics'

/** A change is reported within this time. Things that change back and forth faster are reported once. */
export const LOOK_MS = 5_000
export const REPEAT_MS = 5 * 60_000
/** Ten thousand controllers that answer a hello with their state in the same second are more than a cloud stores. */
const LONGEST_PAUSE_MS = 60_000

interface StateSenderDeps {
  /** Holds, overrides and connections, with the values of held datapoints. */
  state(): ControlState
  uplink: { readonly connected: boolean; publish(topic: string, payload: string, qos: 0 | 1): void }
  deviceId: string
  clock: Clock
  random?: () => number
}

/** Reports to the cloud what is held, so that people can see it while the device is offline. */
export interface StateSender {
  /** The link is up: the cloud may have missed changes. */
  connected(): void
  /** A cloud process has started: it may have missed changes while none ran. */
  greeted(): void
  close(): void
}

interface State extends StateSenderDeps {
  /** What was reported last, without times, and when by the monotonic clock. */
  reported: string | undefined
  reportedAt: number
  cancelGreeting(): void
}

export function startStateSender(deps: StateSenderDeps): StateSender {
  const { clock, random = Math.random } = deps
  const state: State = { ...deps, reported: undefined, reportedAt: 0, cancelGreeting: () => {} }
  const tellAnyway = () => {
    state.reported = undefined
    report(state)
  }
  const stop = every(clock, LOOK_MS, () => report(state))
  return {
    connected: tellAnyway,
    greeted() {
      state.cancelGreeting()
      state.cancelGreeting = clock.after(random() * LONGEST_PAUSE_MS, tellAnyway)
    },
    close() {
      stop()
      state.cancelGreeting()
    },
  }
}

function report(sender: State): void {
  const { uplink, clock, deviceId } = sender
  if (!uplink.connected) return
  const state = sender.state()
  const shape = shapeOf(state)
  if (shape === sender.reported && clock.monotonic() - sender.reportedAt < REPEAT_MS) return
  sender.reported = shape
  sender.reportedAt = clock.monotonic()
  const message = fitting(state)
  if (message !== undefined) uplink.publish(topics.state(deviceId), message, 0)
}

/** What counts as a change: neither times nor values. */
function shapeOf(state: ControlState): string {
  const { clockSuspect, connections, holds, overrides, overridesLeftOut, notes, powerLimit, trial, rolledBack } = state
  const limited = powerLimit && [
    powerLimit.state,
    powerLimit.importKw,
    powerLimit.exportKw,
    powerLimit.limits,
    troublesOf(powerLimit),
  ]
  const links = connections.map(({ connectionId, status, error }) => [connectionId, status, error])
  const tried = [trial && [trial.loadIds, trial.down, trial.waitsFor], rolledBack]
  return JSON.stringify([clockSuspect, links, holds, overrides, overridesLeftOut, notes, limited, tried])
}

const troublesOf = ({ stored = [] }: PowerLimitState) =>
  stored.map(({ datapointId, trouble }) => [datapointId, trouble])

/** The state as a message; without the list of overrides when it would be too long, and `undefined` when it still is. */
function fitting(state: ControlState): string | undefined {
  const whole = JSON.stringify(state)
  if (Buffer.byteLength(whole) <= MAX_STATE_BYTES) return whole
  const overridesLeftOut = state.overrides.length + (state.overridesLeftOut ?? 0)
  const notes = state.notes && { notes: { ...state.notes, overrides: {} } }
  const short = JSON.stringify({ ...state, overrides: [], overridesLeftOut, ...notes })
  return Buffer.byteLength(short) <= MAX_STATE_BYTES ? short : undefined
}
