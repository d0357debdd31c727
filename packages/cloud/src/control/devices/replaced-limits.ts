import type { ControlState } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { PlacedLimit } from '@plantroom/contract/power-limit'
import type { LeftOutReason, RestoredLimit } from '@plantroom/contract/replacement'

/** The power limits of a controller that is replaced. */
export interface ReplacedLimits {
  /** What the new controller gets: limits that continue, and limits that it only closes in the audit. */
  restored: readonly RestoredLimit[]
  running: readonly PlacedLimit[]
  leftOut: readonly { limit: PlacedLimit; reason: LeftOutReason }[]
  /** The meter that they are about. */
  meterId: string
  /** The loads that they may have moved. */
  loadIds: ReadonlySet<string>
}

/** Sorts the power limits of the last state into those that continue and those that are over. Pure. */
export function planLimits(
  { systems, state }: { systems: readonly TechnicalSystem[]; state: ControlState | undefined },
  at: string,
  whyOver: (limit: PlacedLimit) => LeftOutReason | undefined,
): ReplacedLimits {
  const settings = systems.find(({ powerLimit }) => powerLimit)?.powerLimit
  const { limits = [], meterId = '' } = state?.powerLimit ?? {}
  const leftOut: ReplacedLimits['leftOut'][number][] = []
  const running: PlacedLimit[] = []
  const restored: RestoredLimit[] = []
  for (const [index, limit] of limits.entries()) {
    const reason = settings ? whyOver(limit) : 'not-commissioned'
    if (reason) leftOut.push({ limit, reason })
    else running.push(limit)
    if (settings) restored.push(restoredLimit(limit, { index, state, endedAt: reason && at }))
  }
  const loadIds = new Set(settings?.loads.map(({ datapointId }) => datapointId))
  return { restored, running, leftOut, meterId, loadIds }
}

function restoredLimit(
  { state: own, ...limit }: PlacedLimit,
  { index, state, endedAt }: { index: number; state: ControlState | undefined; endedAt: string | undefined },
): RestoredLimit {
  const { seq = index + 1, placedByName = '', reason = '' } = state?.notes?.limits?.[limit.id] ?? {}
  return { ...limit, ...pastWindow(limit, endedAt), seq, placedByName, reason, applied: own === 'active' }
}

/** What is over starts and ends in the past, so that the controller closes it and never applies it. */
export function pastWindow({ from, to }: { from: string; to: string }, endedAt: string | undefined) {
  const earlier = (a: string, b: string) => (Date.parse(a) < Date.parse(b) ? a : b)
  return endedAt === undefined ? { from, to } : { from: earlier(from, endedAt), to: earlier(to, endedAt) }
}
