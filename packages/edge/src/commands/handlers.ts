import { type CommandName, DEFAULT_LIMIT, MAX_LISTED_CANCELLED } from '@plantroom/contract/commands'
import { asReadOnly, type Datapoint, type ExportedDatapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { checkedTime } from '@plantroom/contract/timestamp'
import type { Connection } from '../connections/connection.ts'
import type { Connections } from '../connections/connections.ts'
import type { Limiter } from '../limiting/limiter.ts'
import type { PowerLimits } from '../limiting/power-limits.ts'
import type { OutputTests } from '../output-tests/output-tests.ts'
import type { Caller } from '../overrides/once.ts'
import type { Overrides } from '../overrides/overrides.ts'
import type { ReadEquipment } from '../probe/read-once.ts'
import type { Scans } from '../probe/scans.ts'
import type { Failsafes } from '../writing/failsafes.ts'
import { type CommandHandler, checkedHandlers, type MessageHandler } from './command.ts'
import { type CommissionDeps, type Commissioning, checkCommissioning } from './commission.ts'
import { type ControlStateDeps, getControlState } from './get-control-state.ts'
import { connectionNotLoaded } from './read-request.ts'
import { createRestore, type RestoreDeps } from './restore.ts'

/** Builds the handlers of all commands. Each checks its data first. */
export function createHandlers(
  deps: Pick<CommissionDeps, 'isHeld'> & { commissioning: Commissioning } & ControlStateDeps &
    RestoreDeps &
    ReleaseDeps &
    TestDeps & { failsafes: Pick<Failsafes, 'guards'>; readEquipment: ReadEquipment; scans: Scans },
): Readonly<Record<CommandName, MessageHandler>> {
  const { connections, overrides, failsafes } = deps
  return checkedHandlers({
    getTechnicalDataPoints: getTechnicalDataPoints(connections, failsafes),
    getTechnicalConnectionValues: getTechnicalConnectionValues(connections),
    demandResponseOverride: demandResponseOverride(overrides, connections),
    demandResponseCancel: ({ id, reason = '' }, caller) => overrides.cancel(id, caller, reason),
    cancelOverrides: async ({ placedBy, reason = '' }, caller) => {
      const limits = await released(deps, { placedBy }, { caller, reason })
      const { count, cancelled } = await overrides.cancelAll(placedBy, caller, reason)
      return { count: count + limits.length, cancelled: [...cancelled, ...limits].slice(0, MAX_LISTED_CANCELLED) }
    },
    cancelOverridesByReqId: async ({ reason = '', ...request }, caller) => {
      const limits = await released(deps, request, { caller, reason })
      const { cancelled } = await overrides.cancelByReqId(request, caller, reason)
      return { cancelled: [...cancelled, ...limits] }
    },
    placeLimit: (request, caller) => deps.powerLimits.place(request, caller),
    testOutput(request, caller) {
      rejectBlocked(connections, request.datapointId)
      return deps.outputTests.start(request, caller)
    },
    readEquipment: (address, { leftMs }) => deps.readEquipment(address, leftMs()),
    startScan: (target, { leftMs }) => deps.scans.start(target, leftMs()),
    getScan: ({ id }, { leftMs }) => deps.scans.look(id, leftMs()),
    cancelScan: ({ id }) => deps.scans.cancel(id),
    closeHold: ({ datapointId, outcome, reason }, { keyId: id, name }) =>
      deps.arbiter.closeHold(datapointId, outcome, { id, name, reason }),
    commission: deps.commissioning.load,
    checkCommissioning: checkCommissioning(deps),
    restore: createRestore(deps),
    getControlState: getControlState(deps),
  })
}

interface ReleaseDeps {
  powerLimits: PowerLimits
  limiter: Pick<Limiter, 'meterId'>
}

interface TestDeps {
  outputTests: Pick<OutputTests, 'start'>
}

/** Releases power limits, and lists them as cancelled overrides are listed: by their meter. */
async function released(
  { powerLimits, limiter }: ReleaseDeps,
  which: Parameters<PowerLimits['release']>[0],
  { caller: { keyId: id, name }, reason }: { caller: Caller; reason: string },
) {
  const limits = await powerLimits.release(which, { id, name, reason })
  return limits.map((limit) => ({ id: limit.id, reqId: limit.reqId, datapointId: limiter.meterId() ?? '' }))
}

/** `getTechnicalDataPoints`: returns one page of the datapoints of a connection, in a stable order. */
export function getTechnicalDataPoints(
  connections: Connections,
  failsafes: Pick<Failsafes, 'guards'>,
): CommandHandler<'getTechnicalDataPoints'> {
  return ({ connectionId, limit = DEFAULT_LIMIT, offset = 0 }) => {
    const { datapoints } = requireConnection(connections, connectionId).config
    const sorted = datapoints.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id))
    const page = sorted.slice(offset, offset + limit)
    return { count: sorted.length, datapoints: page.map(asInContract(failsafes)) }
  }
}

/** `getTechnicalConnectionValues`: answers from memory, without reading equipment or disk. */
export function getTechnicalConnectionValues(connections: Connections): CommandHandler<'getTechnicalConnectionValues'> {
  return ({ id }) => requireConnection(connections, id).values()
}

function requireConnection(connections: Connections, id: string): Connection {
  const connection = connections.get(id)
  if (!connection) throw rejected(connectionNotLoaded(id))
  return connection
}

/** Leaves out what only this device and its installer use. A caller cannot write the register of a failsafe. */
function asInContract({ guards }: Pick<Failsafes, 'guards'>) {
  return (datapoint: Datapoint): ExportedDatapoint => {
    const { releaseValue: _value, limits: _limits, unit: _unit, kind: _kind, tags: _tags, ...exported } = datapoint
    return guards(datapoint.id) ? asReadOnly(exported) : exported
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** `demandResponseOverride`: checks and saves the override, applies or queues it, then answers. */
function demandResponseOverride(
  overrides: Overrides,
  connections: Pick<Connections, 'isLeaving' | 'blocked'>,
): CommandHandler<'demandResponseOverride'> {
  return ({ datapointId, value, from, to, reason = '' }, caller) => {
    rejectBlocked(connections, datapointId)
    return overrides.place({ datapointId, value, from: checkedTime(from), to: checkedTime(to), reason }, caller)
  }
}

/** Throws a `Failure` when no writer may take the datapoint now. */
function rejectBlocked({ isLeaving, blocked }: Pick<Connections, 'isLeaving' | 'blocked'>, datapointId: string): void {
  const reasonBlocked = blocked(datapointId)
  if (reasonBlocked !== undefined) throw rejected(reasonBlocked)
  if (isLeaving(datapointId)) {
    throw rejected(`datapoint ${shown(datapointId)} is being commissioned; send the command again in a moment`)
  }
}

const rejected = (message: string) => new Failure('rejected', message)
