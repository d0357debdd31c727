import type { Limits } from '@plantroom/contract/datapoint'
import type { EntryCaller, ReportedValue, ReportReason } from '@plantroom/contract/reports'
import { HOLDING_WRITERS, type HoldingWriter } from '@plantroom/contract/writers'
import type { Raw } from '@plantroom/drivers/driver'
import type { Bound } from '../connections/connections.ts'
import type { PendingEntry } from '../reports/audit.ts'
import { clamp } from './limits.ts'

/**
 * What claims a datapoint: a writer, or a power limit, which holds what no writer holds. A power limit counts as demand
 * response.
 */
export type Claimant = HoldingWriter | 'power-limit'
/** The highest precedence first. */
const CLAIMANTS: readonly Claimant[] = [...HOLDING_WRITERS, 'power-limit']

export const writerOf = ({ by }: Claim): HoldingWriter => (by === 'power-limit' ? 'demand-response' : by)

/** What a claimant wants from a datapoint, in engineering units. */
export interface Claim {
  by: Claimant
  /** The value, or what to add to the plain value. */
  want: { value: number } | { offset: number }
  /** The override behind a demand response claim. */
  overrideId?: string
  reqId?: string
  /** Who placed the override. */
  placedBy?: EntryCaller
  /** Wall time at which the override ends. From then on its value must not be written. */
  until?: number
}

/** The claims on one datapoint. */
export type Claims = Readonly<Partial<Record<Claimant, Claim>>>

/** The state of one datapoint from the first claim on it until its plain value is restored. Immutable. */
export interface Hold {
  claims: Claims
  /** The claim that controls the datapoint. The same object for as long as it is the same claim. */
  holder: Holder | undefined
  /** The value from before the first claim, restored after the last. Missing until the equipment has been read. */
  plain: Plain | undefined
  /**
   * What is known of that value, in engineering units, on a controller that took the hold over from another. The equipment
   * must not be asked for it: it has the value of the hold.
   */
  known?: { value: ReportedValue }
  /** Audit entries that wait for the equipment's answer. */
  unsettled: readonly PendingEntry[]
  /** The last holder and why it released the datapoint, while the plain value is being restored. */
  releasing: ({ holder: Holder } & End) | undefined
  /** The problems of this holder, or of the release, that already have an audit entry. Each gets one. */
  reported: readonly Trouble[]
  /** Set when a reading has shown the value of this holder. */
  reached?: true
  /** The setpoints of this hold, the latest last. Each may be on the equipment, or come back late. */
  setpoints?: readonly Raw[]
  /** What the equipment showed instead of the setpoint, when it last did not take it. */
  shows?: Raw
  /** The setpoint, in engineering units, that another controller may have left on the equipment. */
  left?: ReportedValue
  /** The value by the last audit entry of this holder. Changed limits may change what is written. */
  given?: ReportedValue
  /** Set when that entry says that a power limit bounds the value. What it is bounded to then changes often. */
  isBounded?: true
  /** The value of a release that may be on the equipment, while no reading shows what became of it. */
  sent?: SentRelease
  /** Set when a reading has shown the restored value. The controller keeps looking for a while, then forgets the hold. */
  restored?: true
  /** The release before this hold, while it was still being watched: its setpoint may come back late. */
  recent?: { setpoints: readonly Raw[]; plain: Plain }
}

export interface Holder {
  claim: Claim
  valueBefore: ReportedValue
  /** Set when it took over from another holder: its value before is what that holder wanted. */
  tookOver?: true
  /** Set when an override's value may still be there: it must not stay past its end, even while this holder waits. */
  followsOverride?: true
  /** The overrides behind `followsOverride`: their value may stay until the first of them is over. Missing when unknown. */
  superseded?: readonly SupersededOverride[]
}

export interface SupersededOverride {
  overrideId: string
  value: number
  /** Wall time at which it ends. */
  until: number
}

/** A value that a release has sent. Without an acknowledgement, the equipment may not have it. */
export interface SentRelease {
  value: Plain
  isAcknowledged: boolean
}

/**
 * The value to restore. `image` is present where `raw` alone does not restore it exactly, or where it is not a number.
 * With neither, nothing could be read, so nothing can be restored.
 */
export interface Plain {
  raw: Raw | null
  image?: string
  /** The value from before, in engineering units, where another one is restored. */
  before?: ReportedValue
}

/**
 * `write-failed`: the equipment could not be reached or rejected the value.
 * `not-taken`: it acknowledged the value and did not keep it.
 */
export type Trouble = 'write-failed' | 'not-taken'

/**
 * Why a writer withdraws its claim. `suspended`: the controller does not know the time, so it stops holding. The
 * override itself is not over and has no closing entry yet.
 */
export type Reason = ReportReason | 'suspended' | { cancelledBy: EntryCaller }

/** Why an override is over. */
export type ClosingReason = Exclude<Reason, 'suspended'>

/** The end of a hold as the audit states it. */
export interface End {
  reason: ReportReason
  cancelledBy?: EntryCaller
}

export function endOf(reason: ClosingReason): End {
  return typeof reason === 'string' ? { reason } : { reason: 'cancelled', cancelledBy: reason.cancelledBy }
}

export const FREE: Hold = {
  claims: {},
  holder: undefined,
  plain: undefined,
  unsettled: [],
  releasing: undefined,
  reported: [],
}

/** More are treated as unknown, so that a hold stays small. */
const MAX_SUPERSEDED = 8

/** A balancing market sends hundreds of setpoints. What was sent long ago does not come back. */
const MAX_SETPOINTS = 16

/** Adds a setpoint to those of a hold. */
export function withSetpoint(setpoints: readonly Raw[] | undefined, setpoint: Raw | undefined): readonly Raw[] {
  if (setpoints === undefined) return withSetpoint([], setpoint)
  if (setpoint === undefined || setpoints.at(-1) === setpoint) return setpoints
  return [...setpoints.filter((one) => one !== setpoint), setpoint].slice(-MAX_SETPOINTS)
}

/** Says which overrides' values may be on the equipment when another holder takes over from this hold. */
export function followed({ holder, releasing, reached }: Hold): Pick<Holder, 'followsOverride' | 'superseded'> {
  const last = holder ?? releasing?.holder
  if (!last) return {}
  const { claim, followsOverride, superseded = [] } = last
  const isOverride = claim.by === 'demand-response'
  // A holder that has not reached the equipment may have left the value before it there.
  const leftOver = followsOverride && !reached
  if (!isOverride && !leftOver) return {}
  const { overrideId, until, want } = claim
  const isKnownClaim = isOverride && overrideId !== undefined && until !== undefined && 'value' in want
  const own = isKnownClaim ? [{ overrideId, value: want.value, until }] : []
  const all = leftOver ? [...own, ...superseded] : own
  const isKnown = holder !== undefined && (!isOverride || own.length > 0) && (!leftOver || superseded.length > 0)
  return { followsOverride: true, ...(isKnown && all.length <= MAX_SUPERSEDED && { superseded: all }) }
}

/** Returns the claim with the highest precedence, or `undefined` when only the plain value is left. */
export function highestClaim(claims: Claims): Claim | undefined {
  for (const by of CLAIMANTS) if (claims[by]) return claims[by]
  return undefined
}

/** Reports whether two claims are the same setpoint by the same writer and, for demand response, the same override. */
export function sameClaim(a: Claim | undefined, b: Claim | undefined): boolean {
  if (!a || !b) return a === b
  if (a.by !== b.by || a.overrideId !== b.overrideId) return false
  if ('value' in a.want) return 'value' in b.want && a.want.value === b.want.value
  return 'offset' in b.want && a.want.offset === b.want.offset
}

/** What may be written to a datapoint: its limits, and how a power limit bounds it at present. */
export interface Allowed {
  limits?: Limits | undefined
  bound?: Bound | undefined
}

/** Returns the setpoint of a claim in engineering units, within what is allowed; `null` for an offset to an unknown plain value. */
export function setpointOf({ want }: Claim, plain: ReportedValue, { limits, bound }: Allowed): number | null {
  const value = 'value' in want ? want.value : plain === null ? null : Number(plain) + want.offset
  return value === null ? null : within(clamp(value, limits), bound)
}

/** Returns the value nearest to this one that a bound allows. */
export function within(value: number, bound: Bound | undefined): number {
  if (!bound) return value
  return 'stop' in bound ? bound.stop : clamp(value, bound)
}

/** Returns which writer stops and which starts when a writer states a claim or, with `undefined`, withdraws it. Pure. */
export function decide(
  hold: Hold,
  by: Claimant,
  claim: Claim | undefined,
): { claims: Claims; change: { released: Holder | undefined; applied: Claim | undefined } | undefined } {
  const { [by]: _, ...others } = hold.claims
  const claims: Claims = claim ? { ...others, [by]: claim } : others
  const next = highestClaim(claims)
  if (sameClaim(next, hold.holder?.claim)) return { claims, change: undefined }
  return { claims, change: { released: hold.holder, applied: next } }
}
