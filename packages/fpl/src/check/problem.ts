/** One problem in a manifest. */
export interface Problem {
  /** Its location: `tickets[3].comments[0].author.email`, or `manifest` for the manifest itself. */
  readonly path: string
  /** The offending value as shown in the message; null if showing it would not help. */
  readonly value: string | null
  readonly rule: string
  /** The problem as the contract words it, one part of the message that starts with `Invalid manifest:`. */
  readonly message: string
}
