/** One mistake of a manifest. */
export interface Problem {
  /** Where, as `tickets[3].comments[0].author.email`; the manifest itself is `manifest`. */
  readonly path: string
  /** The offending value as the message shows it; null where it would say nothing. */
  readonly value: string | null
  readonly rule: string
  /** The problem in the words of the contract, one part of the message that starts with `Invalid manifest:`. */
  readonly message: string
}
