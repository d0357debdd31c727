import type { CommandHandlers } from './command.ts'
import { type CommissionDeps, createCommissioning } from './commission.ts'
import { getTechnicalConnectionValues, getTechnicalDataPoints } from './connection-commands.ts'
import { demandResponseCancel, demandResponseOverride } from './demand-response.ts'
import { type ControlStateDeps, getControlState } from './get-control-state.ts'

/** Builds the handlers of all commands. */
export function createHandlers(deps: CommissionDeps & ControlStateDeps): CommandHandlers {
  const { connections, overrides } = deps
  return {
    getTechnicalDataPoints: getTechnicalDataPoints(connections),
    getTechnicalConnectionValues: getTechnicalConnectionValues(connections),
    demandResponseOverride: demandResponseOverride(overrides, connections.isLeaving),
    demandResponseCancel: demandResponseCancel(overrides),
    commission: createCommissioning(deps),
    getControlState: getControlState(deps),
  }
}
