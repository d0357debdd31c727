import { CLOSE_OUTCOMES, DEFAULT_LIMIT, MAX_CANCELLED_REQ_IDS } from '@plantroom/contract/commands'
import { asReadOnly, type Datapoint, type ExportedDatapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { MAX_REASON } from '@plantroom/contract/fields'
import { shown } from '@plantroom/contract/shown'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { Connection } from '../connections/connection.ts'
import type { Connections } from '../connections/connections.ts'
import type { Overrides } from '../overrides/overrides.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { Failsafes } from '../writing/failsafes.ts'
import type { CommandHandler, CommandHandlers } from './command.ts'
import { type CommissionDeps, checkCommissioning, createCommissioning } from './commission.ts'
import { type ControlStateDeps, getControlState } from './get-control-state.ts'
import { createRestore, type RestoreDeps } from './restore.ts'

/** Builds the handlers of all commands. */
export function createHandlers(
  deps: CommissionDeps & ControlStateDeps & RestoreDeps & { failsafes: Pick<Failsafes, 'guards'> },
): CommandHandlers {
  const { connections, overrides, failsafes } = deps
  return {
    getTechnicalDataPoints: getTechnicalDataPoints(connections, failsafes),
    getTechnicalConnectionValues: getTechnicalConnectionValues(connections),
    demandResponseOverride: demandResponseOverride(overrides, connections),
    demandResponseCancel: demandResponseCancel(overrides),
    cancelOverrides: cancelOverrides(overrides),
    cancelOverridesByReqId: cancelOverridesByReqId(overrides),
    closeHold: closeHold(deps.arbiter),
    commission: createCommissioning(deps),
    checkCommissioning: checkCommissioning(deps),
    restore: createRestore(deps),
    getControlState: getControlState(deps),
  }
}

/** `getTechnicalDataPoints`: returns one page of the datapoints of a connection, in a stable order. */
export function getTechnicalDataPoints(connections: Connections, failsafes: Pick<Failsafes, 'guards'>): CommandHandler {
  return ({ connectionId, limit = DEFAULT_LIMIT, offset = 0 }) => {
    const { datapoints } = requireConnection(connections, connectionId).config
    const sorted = datapoints.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id))
    const first = Number(offset)
    const page = sorted.slice(first, first + Number(limit))
    return JSON.stringify({ count: sorted.length, datapoints: page.map(asInContract(failsafes)) })
  }
}

/** `getTechnicalConnectionValues`: answers from memory, without reading equipment or disk. */
export function getTechnicalConnectionValues(connections: Connections): CommandHandler {
  return ({ id }) => requireConnection(connections, id).values()
}

function requireConnection(connections: Connections, id: unknown): Connection {
  const connection = connections.get(String(id))
  if (!connection) throw new Failure('rejected', `connection ${shown(String(id))} is not loaded on this device`)
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
  { isLeaving, blocked }: Pick<Connections, 'isLeaving' | 'blocked'>,
): CommandHandler {
  return ({ datapointId, value, from, to, reason }, caller) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw rejected('value is not a finite number')
    const setpoint = {
      ...{ datapointId: String(datapointId), value, from: time('from', from), to: time('to', to) },
      reason: reasonOf(reason),
    }
    const reasonBlocked = blocked(setpoint.datapointId)
    if (reasonBlocked !== undefined) throw rejected(reasonBlocked)
    if (isLeaving(setpoint.datapointId)) {
      throw rejected(
        `datapoint ${shown(setpoint.datapointId)} is being commissioned; send the command again in a moment`,
      )
    }
    return overrides.place(setpoint, caller)
  }
}

/** `demandResponseCancel`: releases the datapoint to the next writer immediately. */
function demandResponseCancel(overrides: Overrides): CommandHandler {
  return ({ id, reason }, caller) => overrides.cancel(String(id), caller, reasonOf(reason))
}

/** `cancelOverrides`: releases everything that one caller placed. */
function cancelOverrides(overrides: Overrides): CommandHandler {
  return async ({ placedBy, reason }, caller) => {
    if (typeof placedBy !== 'string' || placedBy === '') throw rejected('placedBy is missing')
    return JSON.stringify(await overrides.cancelAll(placedBy, caller, reasonOf(reason)))
  }
}

/** `cancelOverridesByReqId`: releases what one caller placed with these reqIds. */
function cancelOverridesByReqId(overrides: Overrides): CommandHandler {
  return async ({ placedBy, reqIds, reason }, caller) => {
    if (typeof placedBy !== 'string' || placedBy === '') throw rejected('placedBy is missing')
    if (!Array.isArray(reqIds)) throw rejected('reqIds is missing')
    const request = { placedBy, reqIds: reqIds.slice(0, MAX_CANCELLED_REQ_IDS).map(String) }
    return JSON.stringify(await overrides.cancelByReqId(request, caller, reasonOf(reason)))
  }
}

/** `closeHold`: ends a hold that the controller cannot restore, without writing anything. */
function closeHold(arbiter: Arbiter): CommandHandler {
  return async ({ datapointId, outcome, reason }, { keyId: id, name }) => {
    const known = CLOSE_OUTCOMES.find((one) => one === outcome)
    if (!known) throw rejected(`outcome must be one of: ${CLOSE_OUTCOMES.join(', ')}`)
    const by = { id, name, reason: reasonOf(reason) }
    return JSON.stringify(await arbiter.closeHold(String(datapointId), known, by))
  }
}

const reasonOf = (reason: unknown) => (typeof reason === 'string' ? reason.slice(0, MAX_REASON) : '')

function time(field: string, text: unknown): number {
  const parsed = parseTimestamp(String(text))
  if (parsed === undefined) throw rejected(`${field} is not a time with a zone`)
  return parsed
}

const rejected = (message: string) => new Failure('rejected', message)
