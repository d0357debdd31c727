import { archiveRefused, type PackageRefused } from '../refusal.ts'

/** Makes the refusal of one entry from the rule that it breaks. */
export type Refuse = (rule: string) => PackageRefused

const SHOWN_CHARACTERS = 100
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g

/** Such as `entry 12 (attachments/a.txt): is encrypted`. An entry without a name is called by its index alone. */
export function entryRefused(index: number, path: string, rule: string): PackageRefused {
  return archiveRefused(`${entryLabel(index, path)}: ${rule}`)
}

/** Such as `entry 12 (attachments/a.txt)`. */
export function entryLabel(index: number, path: string): string {
  return path === '' ? `entry ${index}` : `entry ${index} (${shownPath(path)})`
}

function shownPath(path: string): string {
  // A character has at most two units: what is cut off here is never shown.
  const characters = Array.from(path.slice(0, 2 * SHOWN_CHARACTERS + 2))
  const isCut = characters.length > SHOWN_CHARACTERS
  const shown = characters.slice(0, SHOWN_CHARACTERS).join('').replace(CONTROL, escaped)
  return isCut ? `${shown}…` : shown
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
