/** What must not leave the service in a problem report or a support bundle, in the order in which it is looked for. */
const SECRETS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // The user and password of an address.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1[secret]@'],
  // What follows the # or the ? of an address: tokens and filters.
  [/([#?])[^\s"']*[=\w-]{8,}[^\s"']*/g, '$1[secret]'],
  [/[^\s"'<>(),;:=]+@[^\s"'<>(),;:]+/g, '[address]'],
  [/\bpl[a-z]_\w+/g, '[secret]'],
  [/\bwhsec_[\w+/=-]+/g, '[secret]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [secret]'],
  [
    /\b(password|passwd|secret|token|api[-_ ]?key|authorization|cookie)\b(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
    '$1$2[secret]',
  ],
  // Ids have 20 characters after an underscore; anything that is longer and random may be a secret.
  [/(?<![\w-])(?!\w{1,12}_[0-9a-hjkmnp-tv-z]{20}(?![\w-]))[\w-]*(?=[\w-]*\d)[\w-]{24,}/g, '[secret]'],
]

/** Removes secrets, tokens and mail addresses from a text. */
export function redact(text: string): string {
  return SECRETS.reduce((left, [pattern, shown]) => left.replaceAll(pattern, shown), text)
}
