import type { Commands } from '@plantroom/client/commands'
import { ApiError } from '@plantroom/client/http'
import type { ExportedDatapoint, Limits, Scaler } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { UsageError } from '../../command.ts'
import type { Directory } from '../../directory.ts'
import { choose } from '../../names.ts'
import type { OverrideWindow } from './override-window.ts'

/** An override as a person requested it. */
export interface Order {
  /** An id, or a name. */
  datapoint: string
  value: number
  window: OverrideWindow
  reqId: string
  /** Why, for people. */
  reason?: string | undefined
  /** True to send a value outside the envelope, or to a datapoint that is not known, anyway. */
  force: boolean
  /** The only connection to search for the datapoint, by id or name. */
  connection?: string | undefined
}

interface Deps {
  commands: Pick<Commands, 'datapoints' | 'override'>
  directory: Pick<Directory, 'learn' | 'datapoint' | 'connections' | 'limits'>
  warn(text: string): void
}

/**
 * Checks limits and envelope, and places the override. If the outcome of a failure is unknown, the error says how to repeat the
 * request.
 */
export async function placeOverride(order: Order, deps: Deps) {
  const from = formatTimestamp(order.window.from)
  const to = formatTimestamp(order.window.to)
  // The same reqId with another start is a different request, so the repeated command must give the start explicitly.
  const repeatable = withRetryHint(`--from ${from} --req-id ${order.reqId}`)

  const datapoint = await find(order, deps).catch(repeatable)
  const datapointId = datapoint?.id ?? order.datapoint
  const refused = limitProblem(
    datapoint?.name ?? order.datapoint,
    deps.directory.limits().get(datapointId),
    order.value,
  )
  if (refused) throw new Error(refused)
  if (datapoint && !order.force) {
    const problem = envelopeProblem(datapoint, order.value)
    if (problem) throw new Error(problem)
  }
  if (!datapoint) deps.warn(`the envelope of ${order.datapoint} was not checked, because no known connection has it`)
  const reason = order.reason === undefined ? {} : { reason: order.reason }
  const wanted = { datapointId, value: order.value, from, to, ...reason }
  const placed = await deps.commands.override({ ...wanted, reqId: order.reqId }).catch(repeatable)
  return { ...placed, ...wanted }
}

/** Finds the datapoint as the controller exports it; undefined if it is unknown and may be sent anyway. */
async function find(order: Order, { commands, directory }: Deps): Promise<ExportedDatapoint | undefined> {
  await directory.learn()
  if (order.connection !== undefined) {
    const [connection] = directory.connections(order.connection)
    const candidates = await commands.datapoints(connection?.id ?? order.connection)
    const found = choose(candidates, order.datapoint, () => connection?.name ?? '')
    if (found) return found
    throw new Error(`${connection?.name} has no datapoint ${order.datapoint}`)
  }
  const known = directory.datapoint(order.datapoint)
  const exported = known && (await commands.datapoints(known.connection.id)).find(({ id }) => id === known.id)
  if (exported || order.force) return exported
  const hint = 'check the id, give --connection C, or use --force to send it without a check'
  throw new Error(`the controller has no datapoint ${order.datapoint}; ${hint}`)
}

/** Adds to an error with an unknown outcome that repeating is safe, and with which flags. */
export function withRetryHint(flags: string): (error: unknown) => never {
  return (error) => {
    const refused = error instanceof UsageError || (error instanceof ApiError && error.status < 500)
    if (refused || !(error instanceof Error)) throw error
    error.message += `; you can safely run it again with ${flags}`
    throw error
  }
}

/**
 * Explains why `value` must not be sent to this datapoint; undefined if it may. The service and the device do not clamp
 * it.
 */
export function envelopeProblem(
  { name, writeInputData, scaler }: Pick<ExportedDatapoint, 'name' | 'writeInputData' | 'scaler'>,
  value: number,
): string | undefined {
  if (!writeInputData) return undefined
  const { min, max } = writeInputData
  if (value >= min && value <= max) return undefined
  const raw = rawOf(value, scaler)
  const sent = raw === value || !Number.isFinite(raw) ? `${value}` : `${value} (raw ${raw})`
  return `${value} is outside ${min} to ${max}, the envelope of ${name}; nothing would clamp it, so the equipment would receive ${sent}; use --force to send it anyway`
}

/** Explains why the controller would refuse `value` because of the limits of the datapoint; undefined if it would not. */
function limitProblem(name: string, limits: Limits | undefined, value: number): string | undefined {
  const { min, max } = limits ?? {}
  const refused = 'so the controller would refuse it; nothing was sent'
  if (min !== undefined && value < min) return `${value} is below ${min}, the lower limit of ${name}, ${refused}`
  if (max !== undefined && value > max) return `${value} is above ${max}, the upper limit of ${name}, ${refused}`
  return undefined
}

function rawOf(value: number, { inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler): number {
  const raw = ((value - inputValue1) * (outputValue2 - outputValue1)) / (inputValue2 - inputValue1) + outputValue1
  // Drops the last digit of a double, which is rounding noise.
  return Number(raw.toPrecision(15))
}
