const SEPARATORS = [',', ';', '\t', '|'] as const
const MOST_ROWS = 50

/** How the cells of a table are separated, and the length of a first line that only says so. */
export interface Separator {
  readonly separator: string
  /** `sep=;` and its line end, which Excel reads as an instruction. */
  readonly hintLength: number
}

/** Finds the separator from the beginning of a file: the one that cuts the most rows into the same number of cells. */
export function detectSeparator(head: string): Separator {
  const hint = /^sep=([,;\t|])(?:\r\n|\n|\r)/i.exec(head)
  if (hint?.[1]) return { separator: hint[1], hintLength: hint[0].length }
  let best = { separator: ',', score: 0 }
  for (const separator of SEPARATORS) {
    const score = scoreOf(cellCounts(head, separator))
    if (score > best.score) best = { separator, score }
  }
  return { separator: best.separator, hintLength: 0 }
}

/** The share of rows that have as many cells as the header, then the number of cells. */
function scoreOf([header = 1, ...rows]: readonly number[]): number {
  if (header < 2) return 0
  const alike = rows.length === 0 ? 1 : rows.filter((cells) => cells === header).length / rows.length
  return alike * 1000 + Math.min(header, 500)
}

function cellCounts(head: string, separator: string): number[] {
  const counts: number[] = []
  let cells = 1
  let isQuoted = false
  let isCellStart = true
  for (let at = 0; at < head.length && counts.length < MOST_ROWS; at += 1) {
    const character = head[at]
    if (character === '"' && (isQuoted || isCellStart)) {
      if (isQuoted && head[at + 1] === '"') at += 1
      else isQuoted = !isQuoted
      isCellStart = false
    } else if (isQuoted) {
      // Everything up to the closing quote belongs to the cell.
    } else if (character === separator) {
      cells += 1
      isCellStart = true
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && head[at + 1] === '\n') at += 1
      if (cells > 1 || !isCellStart) counts.push(cells)
      cells = 1
      isCellStart = true
    } else isCellStart = false
  }
  // The last row of the beginning may be cut off.
  if (counts.length === 0) counts.push(cells)
  return counts
}
