import { ApiError } from '@plantroom/client/http'
import type { PartnerClient } from '@plantroom/client/partner'
import type { Datapoint, Scaler } from '@plantroom/contract/datapoint'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { choose } from '../../directory.ts'
import type { OverrideWindow } from './override-window.ts'

const DEVICE_REJECTED = 499

/** What a person asked for. */
export interface Order {
  /** An id, or a name on one of the connections. */
  datapoint: string
  value: number
  window: OverrideWindow
  reqId: string
  /** Whether a value outside the envelope is sent all the same. */
  force: boolean
  /** Where the datapoint may be found; none when that is not known. */
  connections: readonly { id: string; name: string }[]
  /** Whether it must be found there. */
  strict: boolean
}

/** Looks at the envelope, then dispatches. After a failure that leaves it open what happened, the error says how to repeat it. */
export async function placeOverride(
  order: Order,
  { partner, warn }: { partner: PartnerClient; warn(text: string): void },
) {
  const from = formatTimestamp(order.window.from)
  const to = formatTimestamp(order.window.to)
  // The same reqId with another start would be another request: a start of "now" has to be said the second time.
  const repeatable = withRetryHint(`--from ${from} --req-id ${order.reqId}`)

  const datapoint = pick(order, await datapointsOf(order, partner).catch(repeatable))
  if (datapoint && !order.force) {
    const problem = envelopeProblem(datapoint, order.value)
    if (problem) throw new Error(problem)
  }
  if (!datapoint && !order.force) {
    warn(`the envelope of ${order.datapoint} is not checked: it is on no known connection, say --connection ID`)
  }
  const wanted = { datapointId: datapoint?.id ?? order.datapoint, value: order.value, from, to }
  const placed = await partner.override({ ...wanted, reqId: order.reqId }).catch(repeatable)
  return { ...placed, ...wanted }
}

/** For a failure after which nobody knows whether the device has acted: adds that it is safe to repeat, and with what. */
export function withRetryHint(flags: string): (error: unknown) => never {
  return (error) => {
    const refused = error instanceof ApiError && error.status < 500
    if (refused || !(error instanceof Error)) throw error
    const message = `${error.message}; safe to run again with ${flags}`
    throw error instanceof ApiError ? new ApiError(error.status, { message, code: error.code }) : new Error(message)
  }
}

async function datapointsOf({ connections, strict }: Order, partner: PartnerClient): Promise<Datapoint[]> {
  const found: Datapoint[] = []
  for (const { id } of connections) {
    try {
      for (const datapoint of await partner.datapoints(id)) found.push(datapoint)
    } catch (error) {
      const unknown = error instanceof ApiError && error.status === DEVICE_REJECTED
      if (strict || !unknown) throw error
    }
  }
  return found
}

function pick({ datapoint, connections, strict }: Order, candidates: readonly Datapoint[]): Datapoint | undefined {
  const nameOf = new Map(connections.map(({ id, name }) => [id, name]))
  const found = choose(candidates, datapoint, ({ connectionId }) => nameOf.get(connectionId) ?? connectionId)
  if (!found && strict) throw new Error(`${[...nameOf.values()].join(', ')} has no datapoint ${datapoint}`)
  return found
}

/** Why `value` should not go to this datapoint, or `undefined`. Nobody after us clamps it: the service passes on what it is given. */
export function envelopeProblem(
  { name, writeInputData, scaler }: Pick<Datapoint, 'name' | 'writeInputData' | 'scaler'>,
  value: number,
): string | undefined {
  if (!writeInputData) return undefined
  const { min, max } = writeInputData
  if (value >= min && value <= max) return undefined
  const raw = rawOf(value, scaler)
  const sent = raw === value || !Number.isFinite(raw) ? `${value}` : `${value} (raw ${raw})`
  return `${value} is outside ${min} to ${max}, the envelope of ${name}: the equipment would be sent ${sent}, nothing clamps it; --force passes it`
}

function rawOf(value: number, { inputValue1, outputValue1, inputValue2, outputValue2 }: Scaler): number {
  const raw = ((value - inputValue1) * (outputValue2 - outputValue1)) / (inputValue2 - inputValue1) + outputValue1
  // The last digit of a double is noise of the arithmetic.
  return Number(raw.toPrecision(15))
}
