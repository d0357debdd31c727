/** The bytes that were confirmed at a moment. */
export interface Mark {
  readonly at: number
  readonly bytes: number
}

// Long enough for a slow line, on which a part takes a while.
const WINDOW_MS = 30_000

/** Adds a mark and drops those too old for the current speed, but keeps one to compare with. */
export function withMark(marks: readonly Mark[], mark: Mark): Mark[] {
  const recent = marks.filter(({ at }) => mark.at - at <= WINDOW_MS)
  const last = marks.at(-1)
  if (recent.length === 0 && last) recent.push(last)
  return [...recent, mark]
}

/** Returns bytes per second; `undefined` while there is too little data. */
export function speedOf(marks: readonly Mark[]): number | undefined {
  const first = marks[0]
  const last = marks.at(-1)
  if (!first || !last || last.at <= first.at) return undefined
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
}

/** Returns how many milliseconds the rest takes at the speed of the marks; `undefined` while that is unknown. */
export function timeLeft(marks: readonly Mark[], total: number): number | undefined {
  const speed = speedOf(marks)
  const done = marks.at(-1)?.bytes ?? 0
  return speed !== undefined && speed > 0 ? ((total - done) / speed) * 1000 : undefined
}
