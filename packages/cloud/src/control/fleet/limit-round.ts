import type { Direction } from '@plantroom/contract/power-limit'
import { guaranteedKw, splitLimit } from './limit-plan.ts'
import type { LimitedMeter } from './meter-store.ts'

/** The share of one controller in a limit over several, and what has become of it. */
export interface Share {
  position: number
  round: number
  meter: LimitedMeter
  kw: number
  isAccepted: boolean
  /** What the meter reported last, in the direction of the limit; `null` when that is unknown. */
  drawnKw: number | null
}

/** What follows from a round in which every controller has accepted its share or dropped out. */
export interface NextRound {
  /** Shares in place of which a newer one counts: controllers release them. */
  outdated: readonly Share[]
  /** Newer shares that were not accepted: the one before still counts. */
  failed: readonly Share[]
  /** The shares to place next, none when the split stays as it is. */
  next: readonly { meter: LimitedMeter; kw: number }[]
}

/**
 * Splits a limit again when controllers dropped out in the last round. Those that accepted share what the others leave: a
 * controller that holds an earlier share has that, and one that holds none may draw its share, or what it draws where that is
 * more. Each round has fewer controllers than the one before, so that this ends. Pure.
 */
export function nextRound(limit: { direction: Direction; kw: number }, shares: readonly Share[]): NextRound {
  const { direction, kw } = limit
  const round = Math.max(...shares.map((share) => share.round))
  const before = new Map(shares.filter((one) => one.round < round && one.isAccepted).map((one) => [deviceOf(one), one]))
  const last = shares.filter((share) => share.round === round)
  const accepted = last.filter(({ isAccepted }) => isAccepted)
  const dropped = last.filter(({ isAccepted }) => !isAccepted)
  const outdated = accepted.flatMap((share) => before.get(deviceOf(share)) ?? [])
  const failed = dropped.filter((share) => before.has(deviceOf(share)))
  if (dropped.length === 0 || accepted.length === 0) return { outdated, failed, next: [] }
  const sharing = new Set(accepted.map(deviceOf))
  // In the last round first: what a controller holds from before counts more than what it was to get.
  const others = new Map([...last, ...shares.filter((one) => one.round < round)].map((one) => [deviceOf(one), one]))
  const taken = [...others.values()]
    .filter((one) => !sharing.has(deviceOf(one)))
    .reduce((sum, one) => sum + takenBy(one), 0)
  const meters = accepted.map(({ meter }) => meter)
  const split = splitLimit(direction, Math.max(kw - taken, guaranteedKw(direction, meters)), meters)
  const next = meters.map((meter, index) => ({ meter, kw: split[index] ?? 0 }))
  const isSame = accepted.every((share, index) => Math.abs(share.kw - (next[index]?.kw ?? 0)) < 0.001)
  return { outdated, failed, next: isSame ? [] : next }
}

const deviceOf = ({ meter }: Share) => meter.deviceId
const takenBy = ({ isAccepted, kw, drawnKw }: Share) => (isAccepted ? kw : Math.max(kw, drawnKw ?? 0))
