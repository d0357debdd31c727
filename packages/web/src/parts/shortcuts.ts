/** The keys of a shortcut: one, or one and then another. Letters are in lower case. */
export interface ShortcutKeys {
  keys: readonly [last: string] | readonly [first: string, last: string]
  /** Pressed with Ctrl, or with Cmd on a Mac. */
  control?: boolean
  /** Works while the person types in a field, too. */
  inFields?: boolean
}

/** How long a first key waits for the second. */
const PATIENCE_MS = 1500

export interface Pressed {
  key: string
  /** In milliseconds, by any clock that runs on. */
  at: number
}

/** What this needs to know of a key event. */
interface KeyPress {
  readonly key: string
  readonly timeStamp: number
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

const FIELDS =
  'input:not([type="checkbox"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"]'
/** A dialog, menu or list that is open has the keyboard to itself. */
const OVERLAYS = '[role="dialog"], [role="menu"], [role="listbox"]'

/** Reports whether a key press completes a shortcut, given the key before it. */
export function isPressed(
  { keys, control = false, inFields = false }: ShortcutKeys,
  event: KeyPress,
  place: Place | null,
  before?: Pressed,
): boolean {
  if ((event.ctrlKey || event.metaKey) !== control || event.altKey) return false
  if (event.repeat || event.isComposing || event.defaultPrevented) return false
  if (place?.closest(OVERLAYS) || (!inFields && place?.closest(FIELDS))) return false
  const [first, second] = keys
  if (event.key.toLowerCase() !== (second ?? first).toLowerCase()) return false
  return second === undefined || (before?.key === first && event.timeStamp - before.at <= PATIENCE_MS)
}
