import type { ControlState } from '@plantroom/contract/control-state'

/** Reports whether nothing is commissioned, placed or held on a controller. */
export const isEmpty = ({ connections, holds, overrides }: ControlState) =>
  connections.length + holds.length + overrides.length === 0

/** Reports whether a controller in this state waits for what it, or the one before it, had. What it rejects it may accept then. */
export const awaitsRestore = (state: ControlState) => state.memory?.lost !== undefined || isEmpty(state)
