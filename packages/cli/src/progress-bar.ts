import type { Clock } from '@plantroom/base/clock'

/** Part of a terminal's stream. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface ProgressBar {
  /** Says how far it is; drawn when it is time to. */
  show(label: string, done: number, total: number): void
  /** Takes the line away; what is shown next is something new, and quiet at first. */
  clear(): void
}

// What is over before anybody wonders needs no bar, and an eye sees no more than ten changes a second.
const QUIET_MS = 500
const REDRAW_MS = 100

const SHORTEST_BAR = 10
const LONGEST_BAR = 40
const USUAL_COLUMNS = 80
// A full line would make some terminals begin the next one, and so would the ^C that a terminal itself puts behind it.
const LEFT_FREE = '^C'.length + 1

const CLEAR_LINE = '\r\u001B[K'

/** One line at the bottom of a terminal. Where `stream` is none, such as in a pipe, nothing is ever written. */
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

/** Label, bar and percentage within `columns`: the bar goes first where there is no room, then the end of the label. */
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

// Beyond these letters a character may take two columns. A bar that is too short does no harm, one that wraps does.
const NARROW_BELOW = 0x1100

function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += (character.codePointAt(0) ?? 0) < NARROW_BELOW ? 1 : 2
  return columns
}
