import type { ReportedValue, ReportReason } from '@plantroom/contract/reports'
import type { Raw } from '@plantroom/drivers/driver'
import type { PendingEntry } from '../reports/audit.ts'
import { type Claim, type Claimant, type Claims, sameClaim, winner } from './claims.ts'

/** What is known about one datapoint from the first claim on it until it has been released. Immutable. */
export interface Control {
  claims: Claims
  /** The writer that controls the datapoint. The same object for as long as it is the same claim. */
  holder: Holder | undefined
  /** What was there before the first claim: it is restored after the last. Missing until the equipment was read. */
  plain: Plain | undefined
  /** Audit entries that wait for what the equipment answers. */
  unsettled: readonly PendingEntry[]
  /** The last holder and why it let go, while the plain value is being restored. */
  handingBack: { holder: Holder; reason: ReportReason } | undefined
  /** The problems of this holder, or of restoring, that have an audit entry: each gets one. */
  told: readonly Trouble[]
}

export interface Holder {
  claim: Claim
  valueBefore: ReportedValue
  /** It took over from another holder: its value before is what that one wanted. */
  tookOver?: true
}

/**
 * The value to restore. `image` is present where `raw` alone does not restore it exactly, or where it is not a number.
 * Neither: nothing can be read, so nothing can be restored.
 */
export interface Plain {
  raw: Raw | null
  image?: string
}

/** The equipment could not be reached or refused the value; or it acknowledged the value and did not keep it. */
export type Trouble = 'write-failed' | 'not-taken'

/**
 * Why a claim goes. `suspended`: the controller does not know the time, so it stops holding; the override itself is not
 * over and has no closing entry yet.
 */
export type Reason = ReportReason | 'suspended'

export const FREE: Control = {
  claims: {},
  holder: undefined,
  plain: undefined,
  unsettled: [],
  handingBack: undefined,
  told: [],
}

/** Returns which writer stops and which starts when a writer states a claim or, with `undefined`, withdraws it. Pure. */
export function decide(
  control: Control,
  by: Claimant,
  claim: Claim | undefined,
): { claims: Claims; change: { released: Holder | undefined; applied: Claim | undefined } | undefined } {
  const { [by]: _, ...others } = control.claims
  const claims: Claims = claim ? { ...others, [by]: claim } : others
  const next = winner(claims)
  if (sameClaim(next, control.holder?.claim)) return { claims, change: undefined }
  return { claims, change: { released: control.holder, applied: next } }
}

/** A control as JSON, which has no `bigint`. */
export interface ControlDocument extends Omit<Partial<Control>, 'claims' | 'plain' | 'told'> {
  claims: Claims
  plain?: ({ raw: number | null } | { digits: string }) & { image?: string }
  told: readonly Trouble[]
}

export function toDocument({ plain, ...rest }: Control): ControlDocument {
  if (!plain) return rest
  const { raw, ...image } = plain
  return { ...rest, plain: { ...(typeof raw === 'bigint' ? { digits: String(raw) } : { raw }), ...image } }
}

export function fromDocument({ plain, unsettled = [], ...rest }: ControlDocument): Control {
  return {
    ...FREE,
    ...rest,
    plain: plain && plainOf(plain),
    // An earlier version kept their numbers here and the entries elsewhere; those are on their way already.
    unsettled: unsettled.filter((entry) => typeof entry === 'object'),
  }
}

function plainOf({ image, ...value }: NonNullable<ControlDocument['plain']>): Plain {
  const raw = 'digits' in value ? BigInt(value.digits) : value.raw
  return image === undefined ? { raw } : { raw, image }
}
