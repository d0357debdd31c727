/** The shortcuts that are letters: one key, or one key and then another. */
export const LETTER_SHORTCUTS = {
  help: ['?'],
  home: ['g', 'h'],
  overview: ['g', 'o'],
  alerts: ['g', 'a'],
  reports: ['g', 'l'],
  requests: ['g', 'r'],
} as const
export type LetterShortcut = keyof typeof LETTER_SHORTCUTS

/** How long a first key waits for the second. */
const PATIENCE_MS = 1500

interface Pressed {
  key: string
  /** In milliseconds, by any clock that runs on. */
  at: number
}

/** The shortcut that a key completes, given the key before it. */
export function shortcutOf(before: Pressed | undefined, { key, at }: Pressed): LetterShortcut | undefined {
  const isInTime = before !== undefined && at - before.at <= PATIENCE_MS
  const names = Object.keys(LETTER_SHORTCUTS) as LetterShortcut[]
  return names.find((name) => {
    const keys: readonly string[] = LETTER_SHORTCUTS[name]
    return keys.length === 1 ? keys[0] === key : isInTime && keys[0] === before.key && keys[1] === key
  })
}

/** What this needs to know of a key event. */
interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly repeat?: boolean
  readonly isComposing?: boolean
  readonly defaultPrevented?: boolean
}

/** Where a key was pressed. */
interface Place {
  closest(selector: string): unknown
}

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]'
/** A dialog, menu or list that is open has the keyboard to itself. */
const OVERLAYS = '[role="dialog"], [role="menu"], [role="listbox"]'

/** Reports whether a key may be a shortcut of letters. */
export function isLetterPress(event: KeyPress, place: Place | null): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.repeat || event.isComposing || event.defaultPrevented || event.key.length !== 1) return false
  return !place?.closest(FIELDS) && !place?.closest(OVERLAYS)
}

/** Reports whether a key opens the palette: Ctrl+K, or Cmd+K on a Mac. In a field it belongs to the field. */
export const isPalettePress = (event: KeyPress, place: Place | null): boolean =>
  (event.ctrlKey || event.metaKey) &&
  !event.altKey &&
  !event.defaultPrevented &&
  event.key.toLowerCase() === 'k' &&
  !place?.closest(FIELDS) &&
  !place?.closest(OVERLAYS)
