/** The writers that may want something of a datapoint beyond its plain value, highest rank first. */
export const CLAIMANTS = ['demand-response', 'peak-shaving', 'deviation'] as const
export type Claimant = (typeof CLAIMANTS)[number]

/** What a writer wants of a datapoint, in engineering units. */
export interface Claim {
  by: Claimant
  /** The value, or what to add to the plain value. */
  want: { value: number } | { offset: number }
  /** The override behind a demand response claim. */
  overrideId?: string
  reqId?: string
  /** Wall time at which the override ends: from then on its value must not be written any more. */
  until?: number
}

/** The claims on one datapoint. */
export type Claims = Readonly<Partial<Record<Claimant, Claim>>>

/** Returns the claim of the highest rank; none where only the plain value is left. */
export function winner(claims: Claims): Claim | undefined {
  for (const by of CLAIMANTS) if (claims[by]) return claims[by]
  return undefined
}

/** Reports whether two claims are the same setpoint of the same writer and, for demand response, the same override. */
export function sameClaim(a: Claim | undefined, b: Claim | undefined): boolean {
  if (!a || !b) return a === b
  if (a.by !== b.by || a.overrideId !== b.overrideId) return false
  if ('value' in a.want) return 'value' in b.want && a.want.value === b.want.value
  return 'offset' in b.want && a.want.offset === b.want.offset
}
