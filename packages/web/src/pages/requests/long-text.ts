const LINES = 40
/** Somebody may write all of it in one line. */
const CHARACTERS = 4000

export interface Shortened {
  /** The beginning, of whole lines where it has any. */
  beginning: string
  /** 0 when only the last line was cut. */
  hiddenLines: number
}

/** The beginning of a long text; `undefined` when the text is short enough to stand whole. */
export function shorten(text: string): Shortened | undefined {
  const lines = text.split('\n')
  if (lines.length <= LINES && text.length <= CHARACTERS) return undefined
  const some = lines.slice(0, LINES).join('\n')
  if (some.length <= CHARACTERS) return { beginning: some, hiddenLines: lines.length - LINES }

  const cut = some.slice(0, CHARACTERS)
  const end = cut.lastIndexOf('\n')
  // Where a line is so long that hardly anything would be left, the line itself is cut.
  const beginning = end > CHARACTERS / 2 ? cut.slice(0, end) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return { beginning, hiddenLines: lines.length - beginning.split('\n').length }
}
