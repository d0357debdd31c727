import type { ControlState } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'

/** The reply to `getControlState`. Judged as far as it is used here: a device may be of any version, or lie. */
export function readControlState(reply: Buffer): ControlState {
  const state = parsed(reply)
  const isOne = isObject(state) && ['connections', 'holds', 'overrides'].every((list) => Array.isArray(state[list]))
  if (!isOne || !(state.overrides as unknown[]).every(isWindow)) {
    throw new Failure('rejected', 'the device answered something that is not its state: update the device')
  }
  return state as unknown as ControlState
}

const isWindow = (window: unknown) => isObject(window) && typeof window.placedBy === 'string'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parsed(reply: Buffer): unknown {
  try {
    return JSON.parse(reply.toString())
  } catch {
    return undefined
  }
}
