/** Who may want something of a datapoint beyond its plain value, the one that outranks all others first. */
export const CLAIMANTS = ['demand-response', 'peak-shaving', 'deviation'] as const
export type Claimant = (typeof CLAIMANTS)[number]

/** What a claimant wants of a datapoint, in engineering units. */
export interface Claim {
  by: Claimant
  /** The value, or what to add to the plain value. */
  want: { value: number } | { offset: number }
  /** The window behind a demand response claim. */
  overrideId?: string
  reqId?: string
}

/** The standing claims on one datapoint. */
export type Claims = Readonly<Partial<Record<Claimant, Claim>>>

/** The claim that rules; none where only the plain value is left. */
export function winner(claims: Claims): Claim | undefined {
  for (const by of CLAIMANTS) if (claims[by]) return claims[by]
  return undefined
}

/** Is it one and the same setpoint? A window that repeats the setpoint that rules already changes nothing. */
export function sameSetpoint(a: Claim | undefined, b: Claim | undefined): boolean {
  if (!a || !b) return a === b
  if (a.by !== b.by) return false
  if ('value' in a.want) return 'value' in b.want && a.want.value === b.want.value
  return 'offset' in b.want && a.want.offset === b.want.offset
}
