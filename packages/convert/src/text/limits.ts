/** True if a text has at most `most` characters. An emoji is one, but two units in JavaScript. */
export function isWithin(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most)
}

/** Returns the first `most` characters, with `…` in place of the rest. */
export function cut(text: string, most: number): string {
  if (isWithin(text, most)) return text
  return `${[...text.slice(0, 2 * most)]
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`
}

/** Replaces characters that no database stores: U+0000 and halves of surrogate pairs. */
export function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed()
}
