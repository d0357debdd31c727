const SEPARATORS = [',', ';', '\t', '|'] as const
const MOST_ROWS = 50

/** How the cells of a table are separated, and the length of a first line that only says so. */
export interface Separator {
  readonly separator: string
  /** `sep=;` and its line end, which Excel reads as an instruction. */
  readonly hintLength: number
}

/**
 * Finds the separator from the first `limit` characters of a file: the one that cuts the most rows into the same number of
 * cells.
 */
export function detectSeparator(head: string, limit: number): Separator {
  const hint = /^sep=([,;\t|])(?:\r\n|\n|\r)/i.exec(head)
  if (hint?.[1]) return { separator: hint[1], hintLength: hint[0].length }
  let best = { separator: ',', score: 0 }
  for (const separator of SEPARATORS) {
    const score = scoreOf(countCells(head, separator, head.length < limit))
    if (score > best.score) best = { separator, score }
  }
  return { separator: best.separator, hintLength: 0 }
}

interface CellCounts {
  readonly rows: readonly number[]
  /** Quotation marks that close before something else than a separator. */
  readonly oddQuotes: number
}

/** The share of rows that have as many cells as the header, then the number of cells. */
function scoreOf({ rows: [header = 1, ...rows], oddQuotes }: CellCounts): number {
  if (header < 2) return 0
  const alike = rows.length === 0 ? 1 : rows.filter((cells) => cells === header).length / rows.length
  return (alike * 1000 + Math.min(header, 500)) / (1 + oddQuotes)
}

function countCells(head: string, separator: string, isWhole: boolean): CellCounts {
  const rows: number[] = []
  let oddQuotes = 0
  let cells = 1
  let isQuoted = false
  let isCellStart = true
  const endRow = () => {
    if (cells > 1 || !isCellStart) rows.push(cells)
    cells = 1
    isCellStart = true
  }
  for (let at = 0; at < head.length && rows.length < MOST_ROWS; at += 1) {
    const character = head[at]
    const next = head[at + 1]
    if (isQuoted) {
      if (character !== '"') continue
      if (next === '"') at += 1
      else {
        isQuoted = false
        if (next !== undefined && next !== separator && next !== '\n' && next !== '\r') oddQuotes += 1
      }
    } else if (character === '"' && isCellStart) {
      isQuoted = true
      isCellStart = false
    } else if (character === separator) {
      cells += 1
      isCellStart = true
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && next === '\n') at += 1
      endRow()
    } else isCellStart = false
  }
  // The last row may be cut off.
  if (isWhole || rows.length === 0) endRow()
  return { rows, oddQuotes }
}
