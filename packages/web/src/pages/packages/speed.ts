/** How much had gone out at a moment. */
export interface Mark {
  at: number
  bytes: number
}

const WINDOW_MS = 5000

/** The marks of the last seconds, with a new one: what was long ago says nothing of how fast it goes now. */
export function withMark(marks: readonly Mark[], mark: Mark): Mark[] {
  const recent = marks.filter(({ at }) => mark.at - at <= WINDOW_MS)
  return [...recent, mark]
}

/** Bytes a second; `undefined` as long as there is nothing to go by. */
export function speedOf(marks: readonly Mark[]): number | undefined {
  const first = marks[0]
  const last = marks.at(-1)
  if (!first || !last || last.at <= first.at) return undefined
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
}
