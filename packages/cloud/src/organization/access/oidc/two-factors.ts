/** What a person knows or is, and what they have, as RFC 8176 names it. */
const INHERENT = new Set(['pwd', 'pin', 'fpt', 'face', 'iris', 'retina', 'vbm'])
const POSSESSED = new Set(['otp', 'hwk', 'swk', 'sc', 'sms', 'tel'])

/** Reports whether the provider says that it checked two factors. */
export function provesTwoFactors(amr: readonly string[]): boolean {
  const has = (methods: ReadonlySet<string>) => amr.some((method) => methods.has(method))
  return amr.includes('mfa') || (has(INHERENT) && has(POSSESSED))
}
