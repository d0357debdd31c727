/** More than a line of a log has. The rest of a longer text is left out before anything is looked for. */
const LONGEST = 16_384

/** Ids have 20 characters after an underscore; anything that is longer and random may be a secret. */
const ID = /^\w{1,12}_[0-9a-hjkmnp-tv-z]{20}$/
const SHORTEST_RANDOM = 24

/**
 * What must not leave the service in a problem report or a support bundle, in the order in which it is looked for. A
 * pattern takes a whole run of characters, and the function decides what it is: no pattern looks at a character twice.
 */
const SECRETS: readonly (readonly [pattern: RegExp, shown: string | ((found: string) => string)])[] = [
  // The user and password of an address.
  [/(:\/\/)[^\s/@]*@/g, '$1[secret]@'],
  // What follows the # or the ? of an address: tokens and filters.
  [/[#?][^\s"']*/g, (run) => (/[=\w-]{8}/.test(run) ? `${run.slice(0, 1)}[secret]` : run)],
  [/[^\s"'<>(),;:]+/g, withoutMailAddress],
  [/\bpl[a-z]_\w+/g, '[secret]'],
  [/\bwhsec_[\w+/=-]+/g, '[secret]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [secret]'],
  [
    /\b(password|passwd|secret|token|api[-_ ]?key|authorization|cookie)\b(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi,
    '$1$2[secret]',
  ],
  [/[\w-]+/g, (run) => (run.length < SHORTEST_RANDOM || !/\d/.test(run) || ID.test(run) ? run : '[secret]')],
]

/** Removes secrets, tokens and mail addresses from a text. Leaves out what follows the first 16,384 characters. */
export function redact(text: string): string {
  return SECRETS.reduce(
    // The two forms of `replaceAll` are two signatures.
    (left, [pattern, shown]) =>
      typeof shown === 'string' ? left.replaceAll(pattern, shown) : left.replaceAll(pattern, shown),
    bounded(text),
  )
}

/** Cuts between two words: half of a secret could no longer be recognised as one. */
function bounded(text: string): string {
  if (text.length <= LONGEST) return text
  const cut = text.slice(0, LONGEST)
  const end = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'), cut.lastIndexOf('\t'))
  return `${cut.slice(0, end + 1)}…`
}

/** An address starts after an equals sign and reaches to the end of its word: `to=mari@example.ee`. */
function withoutMailAddress(word: string): string {
  for (let from = 0; from < word.length; ) {
    const equals = word.indexOf('=', from)
    const end = equals === -1 ? word.length : equals
    const at = word.slice(from, end).indexOf('@', 1)
    if (at !== -1 && from + at + 1 < word.length) return `${word.slice(0, from)}[address]`
    from = end + 1
  }
  return word
}
