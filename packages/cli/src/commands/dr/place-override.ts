import type { Commands } from '@plantroom/client/commands'
import { ApiError } from '@plantroom/client/http'
import type { ExportedDatapoint, Limits, Scaler } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { choose } from '../../directory.ts'
import type { OverrideWindow } from './override-window.ts'

const DEVICE_REJECTED = 499

/** An override as a person requested it. */
export interface Order {
  /** An id, or a name on one of the connections. */
  datapoint: string
  value: number
  window: OverrideWindow
  reqId: string
  /** Why, for people. */
  reason?: string | undefined
  /** True to send a value outside the envelope anyway. */
  force: boolean
  /** The connections to search for the datapoint; empty if none is known. */
  connections: readonly { id: string; name: string }[]
  /** True if the datapoint must be on one of them. */
  strict: boolean
}

/**
 * Checks limits and envelope, and places the override. If the outcome of a failure is unknown, the error says how to repeat the
 * request.
 */
export async function placeOverride(
  order: Order,
  { commands, warn }: { commands: Pick<Commands, 'datapoints' | 'limits' | 'override'>; warn(text: string): void },
) {
  const from = formatTimestamp(order.window.from)
  const to = formatTimestamp(order.window.to)
  // The same reqId with another start is a different request, so the repeated command must give the start explicitly.
  const repeatable = withRetryHint(`--from ${from} --req-id ${order.reqId}`)

  const datapoint = pick(order, await datapointsOf(order, commands).catch(repeatable))
  const datapointId = datapoint?.id ?? order.datapoint
  // Optional: the controller refuses it too, only later.
  const limits = await commands.limits().catch(() => new Map<string, Limits>())
  const refused = limitProblem(datapoint?.name ?? order.datapoint, limits.get(datapointId), order.value)
  if (refused) throw new Error(refused)
  if (datapoint && !order.force) {
    const problem = envelopeProblem(datapoint, order.value)
    if (problem) throw new Error(problem)
  }
  if (!datapoint && !order.force) {
    warn(`the envelope of ${order.datapoint} was not checked, because no known connection has it; use --connection ID`)
  }
  const reason = order.reason === undefined ? {} : { reason: order.reason }
  const wanted = { datapointId, value: order.value, from, to, ...reason }
  const placed = await commands.override({ ...wanted, reqId: order.reqId }).catch(repeatable)
  return { ...placed, ...wanted }
}

/** Adds to an error with an unknown outcome that repeating is safe, and with which flags. */
export function withRetryHint(flags: string): (error: unknown) => never {
  return (error) => {
    const refused = error instanceof ApiError && error.status < 500
    if (refused || !(error instanceof Error)) throw error
    const message = `${error.message}; you can safely run it again with ${flags}`
    throw error instanceof ApiError ? new ApiError(error.status, { message, code: error.code }) : new Error(message)
  }
}

async function datapointsOf(
  { connections, strict }: Order,
  commands: Pick<Commands, 'datapoints'>,
): Promise<ExportedDatapoint[]> {
  const found: ExportedDatapoint[] = []
  for (const { id } of connections) {
    try {
      for (const datapoint of await commands.datapoints(id)) found.push(datapoint)
    } catch (error) {
      const unknown = error instanceof ApiError && error.status === DEVICE_REJECTED
      if (strict || !unknown) throw error
    }
  }
  return found
}

function pick(
  { datapoint, connections, strict }: Order,
  candidates: readonly ExportedDatapoint[],
): ExportedDatapoint | undefined {
  const nameOf = new Map(connections.map(({ id, name }) => [id, name]))
  const found = choose(candidates, datapoint, ({ connectionId }) => nameOf.get(connectionId) ?? connectionId)
  if (!found && strict) throw new Error(`${[...nameOf.values()].join(', ')} has no datapoint ${datapoint}`)
  return found
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
