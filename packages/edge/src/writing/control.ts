import type { ReportEntry, ReportedValue, ReportReason } from '@plantroom/contract/reports'
import type { Raw } from '@plantroom/drivers/driver'
import { type Claim, type Claimant, type Claims, sameSetpoint, winner } from './claims.ts'

/** What is known about one datapoint while somebody holds it, and until it has been handed back. Immutable. */
export interface Control {
  claims: Claims
  /** Whose claim rules. The same object for as long as it is the same setpoint. */
  holder: Holder | undefined
  /** What was there before the first claim: it comes back after the last. Missing until the equipment was asked. */
  plain: Plain | undefined
  /** Entries of the audit that wait for what the equipment says. */
  unsettled: readonly ReportEntry[]
  /** The last one that held it, and why it does not any more, while it is being handed back. */
  handingBack: { holder: Holder; reason: ReportReason } | undefined
  /** What went wrong for the one that holds it, or with handing it back, and was told: each is told once. */
  told: readonly Trouble[]
}

export interface Holder {
  claim: Claim
  valueBefore: ReportedValue
}

/** `null`: it cannot be known, and so it cannot be given back. */
export interface Plain {
  raw: Raw | null
}

/** The equipment could not be reached or refused the value; or it acknowledged the value and did not keep it. */
export type Trouble = 'write-failed' | 'not-taken'

export const FREE: Control = {
  claims: {},
  holder: undefined,
  plain: undefined,
  unsettled: [],
  handingBack: undefined,
  told: [],
}

/** Who stops ruling and who starts when a claimant states a claim or, with `undefined`, withdraws it. Pure. */
export function decide(
  control: Control,
  by: Claimant,
  claim: Claim | undefined,
): { claims: Claims; change: { released: Holder | undefined; applied: Claim | undefined } | undefined } {
  const { [by]: _, ...others } = control.claims
  const claims: Claims = claim ? { ...others, [by]: claim } : others
  const ruling = winner(claims)
  if (sameSetpoint(ruling, control.holder?.claim)) return { claims, change: undefined }
  return { claims, change: { released: control.holder, applied: ruling } }
}

/** A control as JSON, which knows no `bigint`; entries of the audit lie in their own table. */
export interface ControlDocument extends Omit<Partial<Control>, 'claims' | 'plain' | 'unsettled' | 'told'> {
  claims: Claims
  plain?: { raw: number | null } | { digits: string }
  unsettled: readonly number[]
  told: readonly Trouble[]
}

export function toDocument({ plain, unsettled, ...rest }: Control): ControlDocument {
  return {
    ...rest,
    ...(plain && { plain: typeof plain.raw === 'bigint' ? { digits: String(plain.raw) } : { raw: plain.raw } }),
    unsettled: unsettled.map(({ seq }) => seq),
  }
}

export function fromDocument(document: ControlDocument, findEntry: (seq: number) => ReportEntry | undefined): Control {
  const { plain, unsettled, ...rest } = document
  return {
    ...FREE,
    ...rest,
    plain: plain && ('digits' in plain ? { raw: BigInt(plain.digits) } : { raw: plain.raw }),
    unsettled: unsettled.map(findEntry).filter((entry) => entry !== undefined),
  }
}
