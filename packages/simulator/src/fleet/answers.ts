import { randomUUID } from 'node:crypto'
import type { CommandEnvelope, CommandName, CommandReply, CommandRequest } from '@plantroom/contract/commands'
import { DEFAULT_LIMIT } from '@plantroom/contract/commands'
import type { ControlState, PlacedOverride } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { DEFAULT_AVERAGING_SECONDS, type PlacedLimit, type PowerLimitState } from '@plantroom/contract/power-limit'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import { CONNECTION_STATUS, type ConnectionValues } from '@plantroom/contract/values'
import { type ControlledSystem, controlledSystem } from './controlled-system.ts'

const LONGEST_MS = 24 * 3_600_000
/** Remembered requests of one controller; the oldest are forgotten first. */
const MOST_REMEMBERED = 1_000

/** What an imitated controller remembers of its commands. */
export interface Memory {
  system: ControlledSystem | undefined
  overrides: Map<string, PlacedOverride>
  limits: Map<string, PlacedLimit>
  /** Ids by caller and `reqId`: a request that is repeated gets the same answer. */
  answered: Map<string, string>
  counts: { overrides: number; repeated: number; cancelled: number }
}

export const createMemory = (system: ControlledSystem | undefined): Memory => ({
  system,
  overrides: new Map(),
  limits: new Map(),
  answered: new Map(),
  counts: { overrides: 0, repeated: 0, cancelled: 0 },
})

interface Asked<Name extends CommandName> {
  memory: Memory
  data: CommandRequest<Name>
  envelope: CommandEnvelope
  now: number
  /** The value of a datapoint now, by its place in the connection. */
  liveValue(place: number): number
}

type Answers = { [Name in CommandName]: (asked: Asked<Name>) => CommandReply<Name> } & {
  cancelOverridesByReqId(asked: { memory: Memory; data: { placedBy: string; reqIds: readonly string[] } }): {
    cancelled: { reqId: string; id: string; datapointId: string }[]
  }
}

/** One handler per command, as plausible as a controller without equipment can answer. */
const ANSWERS: Answers = {
  getTechnicalDataPoints({ memory, data }) {
    const { limit = DEFAULT_LIMIT, offset = 0 } = data
    const datapoints = systemOf(memory, data.connectionId).exported()
    return { count: datapoints.length, datapoints: datapoints.slice(offset, offset + limit) }
  },
  getTechnicalConnectionValues: ({ memory, data, now, liveValue }) =>
    connectionValues(systemOf(memory, data.id), memory, now, liveValue),
  demandResponseOverride: placeOverride,
  placeLimit,
  demandResponseCancel({ memory, data }) {
    const found = memory.overrides.get(data.id)
    if (found) cancel(memory, [found])
    else if (!new Set(memory.answered.values()).has(data.id)) {
      throw new Failure('rejected', `this device never issued the override id ${data.id}; check it`)
    }
    return { success: true }
  },
  testOutput() {
    throw new Failure('rejected', 'an imitated controller has no equipment to test')
  },
  readEquipment() {
    throw new Failure('rejected', 'an imitated controller has no equipment to read')
  },
  startScan() {
    throw new Failure('rejected', 'an imitated controller has no equipment to find')
  },
  getScan() {
    throw new Failure('rejected', 'an imitated controller knows no scan')
  },
  cancelScan() {
    throw new Failure('rejected', 'an imitated controller knows no scan')
  },
  closeHold() {
    throw new Failure('rejected', 'an imitated controller has no hold that it cannot restore')
  },
  restore() {
    throw new Failure('rejected', 'an imitated controller cannot replace another')
  },
  cancelOverrides({ memory, data }) {
    const cancelled = cancel(
      memory,
      placed(memory).filter(({ placedBy }) => placedBy === data.placedBy),
    )
    return { count: cancelled.length, cancelled: cancelled.map(({ id, datapointId }) => ({ id, datapointId })) }
  },
  cancelOverridesByReqId({ memory, data }) {
    const asked = new Set(data.reqIds.map((reqId) => reqId.toLowerCase()))
    const isAsked = ({ placedBy, reqId }: Placed) => placedBy === data.placedBy && asked.has(reqId.toLowerCase())
    const cancelled = cancel(memory, placed(memory).filter(isAsked))
    return { cancelled: cancelled.map(({ reqId, id, datapointId }) => ({ reqId, id, datapointId })) }
  },
  commission({ memory, data }) {
    memory.system = controlledSystem(data.technicalSystem as TechnicalSystem)
    return {}
  },
  checkCommissioning: () => ({ problems: [], held: [] }),
  getControlState: ({ memory, now, liveValue }) => controlState(memory, now, liveValue),
}

/** Answers a command as a real controller would. Throws a `Failure` that the caller gets as a rejection. */
export function answer(command: string, asked: Omit<Asked<CommandName>, 'data'>): object {
  const { envelope, now } = asked
  // Written this way round, a command without a deadline counts as late.
  if (!(now <= envelope.deadline))
    throw new Failure('rejected', 'the command arrived after its deadline; nothing was done')
  if (!Object.hasOwn(ANSWERS, command))
    throw new Failure('rejected', `this device does not know the command ${command}`)
  const handler = ANSWERS[command as CommandName] as (of: object) => object
  return handler({ ...asked, data: envelope.data })
}

function placeOverride(asked: Asked<'demandResponseOverride'>): { id: string } {
  const { memory, data } = asked
  const { datapointId, value } = data
  return once(asked, (common) => {
    const point = memory.system?.writable(datapointId)
    if (!point) throw new Failure('rejected', `this device has no writable datapoint ${datapointId}`)
    memory.overrides.set(common.id, { ...common, datapointId, value })
  })
}

function placeLimit(asked: Asked<'placeLimit'>): { id: string; meterId: string } {
  const { memory, data } = asked
  const { direction, kw, averagingSeconds = DEFAULT_AVERAGING_SECONDS } = data
  const meterId = memory.system?.meterId
  if (meterId === undefined) throw new Failure('rejected', 'this device has no power limit; commission one first')
  const { id } = once(asked, (common) => {
    memory.limits.set(common.id, { ...common, direction, kw, averagingSeconds })
  })
  return { id, meterId }
}

/** Places something, or returns the id that an earlier request with the same `reqId` got. */
function once(
  { memory, data, envelope, now }: Asked<'demandResponseOverride' | 'placeLimit'>,
  place: (common: Pick<PlacedLimit, 'id' | 'from' | 'to' | 'reqId' | 'placedBy' | 'state'>) => void,
): { id: string } {
  const key = `${envelope.keyId} ${String(envelope.reqId).toLowerCase()}`
  const known = memory.answered.get(key)
  if (known !== undefined) {
    memory.counts.repeated += 1
    return { id: known }
  }
  const [from, to] = [parseTimestamp(data.from) ?? Number.NaN, parseTimestamp(data.to) ?? Number.NaN]
  if (!(to > from && to > now && to - from <= LONGEST_MS)) {
    throw new Failure('rejected', 'to must be after from and in the future, at most 24 hours after from')
  }
  const id = randomUUID()
  forgetEnded(memory, now)
  const times = { from: formatTimestamp(from), to: formatTimestamp(to) }
  place({ id, ...times, reqId: envelope.reqId, placedBy: envelope.keyId, state: 'queued' })
  memory.answered.set(key, id)
  memory.counts.overrides += 1
  return { id }
}

function forgetEnded(memory: Memory, now: number): void {
  for (const held of [memory.overrides, memory.limits]) {
    for (const { id, to } of held.values()) if (Date.parse(to) <= now) held.delete(id)
  }
  for (const key of memory.answered.keys()) {
    if (memory.answered.size < MOST_REMEMBERED) return
    memory.answered.delete(key)
  }
}

/** An override or a power limit, whose datapoint is the meter. */
type Placed = Pick<PlacedOverride, 'id' | 'datapointId' | 'reqId' | 'placedBy'>

const placed = ({ overrides, limits, system }: Memory): Placed[] => [
  ...overrides.values(),
  ...[...limits.values()].map((limit) => ({ ...limit, datapointId: system?.meterId ?? '' })),
]

function cancel(memory: Memory, given: readonly Placed[]): readonly Placed[] {
  for (const { id } of given) if (!memory.overrides.delete(id)) memory.limits.delete(id)
  memory.counts.cancelled += given.length
  return given
}

/** The latest accepted of those that run now. */
function activeOn(memory: Memory, datapointId: string, now: number): PlacedOverride | undefined {
  const running = [...memory.overrides.values()].filter(
    ({ datapointId: of, from, to }) => of === datapointId && Date.parse(from) <= now && now < Date.parse(to),
  )
  return running.at(-1)
}

function connectionValues(
  system: ControlledSystem,
  memory: Memory,
  now: number,
  liveValue: (place: number) => number,
): ConnectionValues {
  const timestamp = formatTimestamp(now)
  const values = system.datapointIds.map((id, place) => {
    const active = activeOn(memory, id, now)
    const held = active && ({ locked: true, lockedBy: 'demand-response' } as const)
    return [id, { value: active?.value ?? liveValue(place), timestamp, ...held }] as const
  })
  return {
    connectionId: system.connectionId,
    status: CONNECTION_STATUS.connected,
    error: null,
    timestamp,
    values: Object.fromEntries(values) as ConnectionValues['values'],
  }
}

function controlState(memory: Memory, now: number, liveValue: (place: number) => number): ControlState {
  const overrides = [...memory.overrides.values()]
    .filter(({ to }) => Date.parse(to) > now)
    .map((override): PlacedOverride => {
      const isActive = activeOn(memory, override.datapointId, now) === override
      return { ...override, state: isActive ? 'active' : Date.parse(override.from) <= now ? 'superseded' : 'queued' }
    })
  const connections = memory.system ? [connectionValues(memory.system, memory, now, liveValue)] : []
  const powerLimit = powerLimitState(memory, now, liveValue)
  return {
    ...{ at: formatTimestamp(now), clockSuspect: false, connections, holds: [], overrides },
    ...(powerLimit && { powerLimit }),
  }
}

function powerLimitState(
  { system, limits: placed }: Memory,
  now: number,
  liveValue: (place: number) => number,
): PowerLimitState | undefined {
  const meterId = system?.meterId
  if (meterId === undefined) return undefined
  const limits = [...placed.values()]
    .filter(({ to }) => Date.parse(to) > now)
    .map((limit): PlacedLimit => ({ ...limit, state: Date.parse(limit.from) <= now ? 'active' : 'queued' }))
  const active = limits.filter(({ state }) => state === 'active')
  const strictest = (of: PlacedLimit['direction']) => {
    const all = active.filter(({ direction }) => direction === of).map(({ kw }) => kw)
    return all.length === 0 ? null : Math.min(...all)
  }
  const meterKw = liveValue(system?.datapointIds.indexOf(meterId) ?? 0)
  return {
    ...{ meterId, state: active.length > 0 ? 'limited' : 'unlimited', meterKw, meanKw: meterKw, limits, moved: [] },
    ...{ importKw: strictest('import'), exportKw: strictest('export') },
  }
}

function systemOf({ system }: Memory, connectionId: string): ControlledSystem {
  if (system?.connectionId !== connectionId) {
    throw new Failure('rejected', `this device has no connection ${connectionId}`)
  }
  return system
}
