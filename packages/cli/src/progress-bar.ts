import type { Clock } from '@plantroom/base/clock'

/** The part of a terminal stream that the bar uses. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressBar {
  /** Reports progress; redraws at most ten times a second. */
  show(label: string, done: number, total: number): void
  /** Removes the line. The next progress is hidden for half a second again. */
  clear(): void
}

// Short work needs no bar, and the eye cannot follow more than ten changes a second.
const QUIET_MS = 500
const REDRAW_MS = 100

const SHORTEST_BAR = 10
const LONGEST_BAR = 40
const USUAL_COLUMNS = 80
// A full line would wrap on some terminals, as would the ^C that a terminal prints after it.
const LEFT_FREE = '^C'.length + 1

const CLEAR_LINE = '\r\u001B[K'

/** Creates a progress bar on the last line of a terminal. Writes nothing if `stream` is not a terminal. */
export function createProgressBar({ stream, clock }: { stream: Terminal; clock: Clock }): ProgressBar {
  let nextAt = clock.monotonic() + QUIET_MS
  let isDrawn = false
  return {
    show(label, done, total) {
      if (!stream.isTTY || clock.monotonic() < nextAt) return
      nextAt = clock.monotonic() + REDRAW_MS
      isDrawn = true
      stream.write(CLEAR_LINE + barLine(label, done, total, (stream.columns || USUAL_COLUMNS) - LEFT_FREE))
    },
    clear() {
      if (isDrawn) stream.write(CLEAR_LINE)
      isDrawn = false
      nextAt = clock.monotonic() + QUIET_MS
    },
  }
}

/** Fits label, bar and percentage into `columns`: drops the bar first, then the end of the label. */
export function barLine(label: string, done: number, total: number, columns: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 0
  const percentage = ` ${String(Math.floor(share * 100)).padStart(3)} %`
  const room = columns - percentage.length
  const length = Math.min(LONGEST_BAR, room - columnsOf(label) - ' []'.length)
  if (length < SHORTEST_BAR) return cut(label, room) + (room < 0 ? '' : percentage)
  const filled = Math.round(share * length)
  return `${label} [${'#'.repeat(filled)}${'-'.repeat(length - filled)}]${percentage}`
}

function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let kept = ''
  let used = 1
  for (const character of text) {
    used += columnsOf(character)
    if (used > columns) break
    kept += character
  }
  return columns > 0 ? `${kept}…` : ''
}

// Characters above this may take two columns. A bar that is too short is harmless, one that wraps is not.
const NARROW_BELOW = 0x1100

function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += (character.codePointAt(0) ?? 0) < NARROW_BELOW ? 1 : 2
  return columns
}
