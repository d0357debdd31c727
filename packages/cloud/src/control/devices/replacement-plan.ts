import type { ControlState, PlacedOverride } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type {
  LeftOutReason,
  Replacement,
  RestoredControl,
  RestoredHold,
  RestoredOverride,
} from '@plantroom/contract/replacement'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { pastWindow, planLimits, type ReplacedLimits } from './replaced-limits.ts'

/**
 * No override lasts longer. What an older state says about equipment without an override that runs now may have changed
 * since: the old controller may have released it, and a person may have set it. Such equipment is left as it is.
 */
export const OLDEST_STATE_MS = 24 * 60 * 60_000

/** What the cloud knows of a controller that is replaced. */
export interface KnownOfDevice {
  systems: readonly TechnicalSystem[]
  /** The last state of the old controller, and when it arrived. */
  state: { document: ControlState; receivedAt: number } | undefined
  /** Overrides with an audit entry `released`. */
  released: ReadonlySet<string>
  /** Overrides whose cancel the controller has confirmed, and callers whose overrides must all be cancelled. */
  cancelled: ReadonlySet<string>
  cancelledCallers: ReadonlySet<string>
  /** Overrides that the controller accepted and that have not ended. */
  accepted: readonly string[]
}

/** What the new controller gets, and what people see of it. */
export interface ReplacementPlan {
  control: Omit<RestoredControl, 'audit'>
  summary: Pick<
    Replacement,
    'technicalSystems' | 'overrides' | 'limits' | 'leftOut' | 'releases' | 'untouched' | 'unknownOverrides'
  >
}

/** Decides what is restored. Pure. */
export function planReplacement(known: KnownOfDevice, now: number): ReplacementPlan {
  const { systems, state } = known
  const at = formatTimestamp(now)
  const names = new Map(
    systems.flatMap(({ connections }) =>
      connections.flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name] as const)),
    ),
  )
  const named = (datapointId: string) => ({ datapointId, datapoint: names.get(datapointId) ?? datapointId })
  const overrides: RestoredOverride[] = []
  const running: Replacement['overrides'][number][] = []
  const leftOut: Replacement['leftOut'][number][] = []
  for (const [index, placed] of inOrder(state?.document).entries()) {
    const { id, datapointId, value, from, to, placedBy, state: own } = placed
    const why = names.has(datapointId) ? whyOver(known, placed, now) : 'not-commissioned'
    if (why) leftOut.push({ id, ...named(datapointId), reason: why })
    else running.push({ id, ...named(datapointId), value, from, to, placedBy, state: own })
    // The controller writes the closing audit entry of those that are over, unless the one before did.
    if (names.has(datapointId) && !known.released.has(id)) {
      overrides.push(restored(placed, { index, state: state?.document, endedAt: why && at }))
    }
  }
  const limits = planLimits({ systems, state: state?.document }, at, (limit) => whyOver(known, limit, now))
  const holds = restoredHolds(known, { running: new Set(running.map(({ id }) => id)), limits, names, now })
  const shown = [...(state?.document.overrides ?? []), ...(state?.document.powerLimit?.limits ?? [])]
  const listed = new Set(shown.map(({ id }) => id))
  const isUnknown = (id: string) => !listed.has(id) && !known.released.has(id) && !known.cancelled.has(id)
  const summary: ReplacementPlan['summary'] = {
    technicalSystems: systems.map(describeSystem),
    overrides: running,
    limits: limits.running.map(({ averagingSeconds: _, reqId: __, ...limit }) => ({
      ...limit,
      ...named(limits.meterId),
    })),
    leftOut: [
      ...leftOut,
      ...limits.leftOut.map(({ limit: { id }, reason }) => ({ id, ...named(limits.meterId), reason })),
    ],
    releases: holds.releases.map(({ datapointId, plainValue }) => ({ ...named(datapointId), value: plainValue })),
    untouched: holds.untouched.map(named),
    unknownOverrides: known.accepted.filter(isUnknown).length,
  }
  const closed = limits.restored.filter(({ id }) => !known.released.has(id))
  const moved = state?.document.notes?.moved
  const ofLimits = { ...(closed.length > 0 && { limits: closed }), ...(moved && { moved }) }
  return { control: { at, overrides, holds: holds.restored, ...ofLimits }, summary }
}

/** In the order of acceptance. Without it, one that is active came after those that it supersedes, and before queued ones. */
function inOrder(state: ControlState | undefined): PlacedOverride[] {
  const rank = { superseded: 0, active: 1, queued: 2 } as const
  const seqOf = ({ id }: PlacedOverride) => state?.notes?.overrides[id]?.seq
  return (state?.overrides ?? []).toSorted((a, b) => {
    const [first, second] = [seqOf(a), seqOf(b)]
    return first !== undefined && second !== undefined ? first - second : rank[a.state] - rank[b.state]
  })
}

function whyOver(
  { released, cancelled, cancelledCallers }: KnownOfDevice,
  { id, to, placedBy }: Pick<PlacedOverride, 'id' | 'to' | 'placedBy'>,
  now: number,
): LeftOutReason | undefined {
  if (cancelled.has(id) || cancelledCallers.has(placedBy)) return 'cancelled'
  return released.has(id) || Date.parse(to) <= now ? 'ended' : undefined
}

function restored(
  { id, datapointId, value, from, to, reqId, placedBy, state: own }: PlacedOverride,
  { index, state, endedAt }: { index: number; state: ControlState | undefined; endedAt: string | undefined },
): RestoredOverride {
  const { placedByName = '', reason = '' } = state?.notes?.overrides[id] ?? {}
  const window = pastWindow({ from, to }, endedAt)
  const who = { reqId, placedBy, placedByName, reason }
  return { seq: index + 1, id, datapointId, value, ...window, ...who, applied: own !== 'queued' }
}

/** Sorts what was held into what is taken over, what of it is only set back, and what is left as it is. */
function restoredHolds(
  { state, released }: KnownOfDevice,
  {
    running,
    limits,
    names,
    now,
  }: { running: ReadonlySet<string>; limits: ReplacedLimits; names: ReadonlyMap<string, string>; now: number },
): { restored: RestoredHold[]; releases: RestoredHold[]; untouched: string[] } {
  const found = { restored: [] as RestoredHold[], releases: [] as RestoredHold[], untouched: [] as string[] }
  if (!state) return found
  const isOld = now - state.receivedAt > OLDEST_STATE_MS
  for (const { datapointId, by, value, overrideId, beneath, next } of state.document.holds) {
    // The old controller said that it had released it.
    if (!names.has(datapointId) || (overrideId !== null && released.has(overrideId))) continue
    // A power limit holds what no writer holds, as demand response.
    const isLimited = by === 'demand-response' && overrideId === null && limits.loadIds.has(datapointId)
    const isRunning = isLimited ? limits.running.length > 0 : overrideId !== null && running.has(overrideId)
    if (isOld && !isRunning) {
      found.untouched.push(datapointId)
      continue
    }
    const plain = state.document.notes?.plain[datapointId]
    const under = isLimited ? next : beneath
    const plainValue = by === 'plain' ? value : under.by === 'plain' ? under.value : null
    const hold = { datapointId, by, value, overrideId, ...(plain && { plain }), plainValue }
    found.restored.push(hold)
    if (by === 'plain' || (by === 'demand-response' && !isRunning)) found.releases.push(hold)
  }
  return found
}

const describeSystem = ({ id, name, connections }: TechnicalSystem) => ({
  ...{ id, name, connections: connections.length },
  datapoints: connections.reduce((sum, { datapoints }) => sum + datapoints.length, 0),
})
