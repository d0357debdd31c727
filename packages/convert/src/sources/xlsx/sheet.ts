import type { OpenArchive } from '@plantroom/fpl/read-archive'
import { numberIn } from '../../text/numbers.ts'
import { columnIndex, MOST_COLUMNS, numberText, rowNumber } from './cell-values.ts'
import { createTextCollector, type Workbook } from './workbook.ts'
import { createXmlReader, type Tag } from './xml.ts'

/** A cell that has no usable value: `#REF!`, or a formula whose result the file does not contain. */
export interface CellFlaw {
  readonly column: number
  readonly message: string
}

export interface SheetRow {
  /** As the spreadsheet program shows it. */
  readonly number: number
  /** By index of the column; empty cells are missing. */
  readonly cells: ReadonlyMap<number, string>
  readonly flaws: readonly CellFlaw[]
}

/** What a sheet says besides its cells. */
export interface SheetFacts {
  /** Indexes of hidden columns. */
  readonly hiddenColumns: Set<number>
  /** Columns in all ranges of hidden ones. No column is in two, unless the file is hostile. */
  hiddenInRanges: number
  hiddenRows: number
}

/** No spreadsheet program has more rows. */
const MOST_ROWS = 1_048_576

export function emptyFacts(): SheetFacts {
  return { hiddenColumns: new Set(), hiddenInRanges: 0, hiddenRows: 0 }
}

/** Yields the rows of a sheet that have cells, in bounded memory, and fills `facts` on the way. */
export async function* sheetRows(
  archive: OpenArchive,
  workbook: Workbook,
  path: string,
  facts: SheetFacts = emptyFacts(),
): AsyncGenerator<SheetRow, void> {
  const entry = archive.find(path)
  if (!entry) return
  const ready: SheetRow[] = []
  const reader = createXmlReader(sheetVisitor(workbook, facts, (row) => ready.push(row)))
  for await (const bytes of archive.content(entry)) {
    reader.write(bytes)
    yield* ready.splice(0)
  }
  reader.end()
  yield* ready
}

function sheetVisitor(workbook: Workbook, facts: SheetFacts, push: (row: SheetRow) => void) {
  let row = { number: 0, cells: new Map<number, string>(), flaws: [] as CellFlaw[] }
  let cell = { column: -1, type: 'n', style: 0, hasFormula: false, hasValue: false }
  let value = ''
  let isValue = false
  const inline = createTextCollector()

  function open({ name, attributes }: Tag): void {
    switch (name) {
      case 'col':
        hideColumns(attributes, facts)
        return
      case 'row':
        row = { number: numberIn(attributes.r ?? row.number + 1, 1, MOST_ROWS), cells: new Map(), flaws: [] }
        cell.column = -1
        if (isTrue(attributes.hidden)) facts.hiddenRows += 1
        return
      case 'c': {
        const column = attributes.r === undefined ? cell.column + 1 : columnIndex(attributes.r)
        cell = {
          column,
          type: attributes.t ?? 'n',
          style: numberIn(attributes.s ?? 0),
          hasFormula: false,
          hasValue: false,
        }
        value = ''
        inline.start()
        return
      }
      case 'v':
        isValue = true
        cell.hasValue = true
        return
      case 'f':
        cell.hasFormula = true
        return
      default:
        inline.open(name)
    }
  }

  function close(name: string): void {
    if (name === 'v') isValue = false
    else if (name === 'c') endCell()
    else if (name === 'row') push(row)
    else inline.close(name)
  }

  function endCell(): void {
    const { column, type } = cell
    if (column < 0 || column >= MOST_COLUMNS) return
    if (type === 'e') {
      row.flaws.push({ column, message: `the cell contains the error ${value}; correct its formula or clear it` })
      return
    }
    if (cell.hasFormula && !cell.hasValue) {
      const message = 'the file does not contain the result of the formula; save it in a spreadsheet program'
      row.flaws.push({ column, message })
      return
    }
    const text = type === 'inlineStr' ? inline.value() : textOf(type, value, cell.style, workbook)
    if (text.trim() !== '') row.cells.set(column, text)
  }

  return {
    open,
    close,
    text(text: string) {
      if (isValue) value += text
      else inline.text(text)
    },
  }
}

function textOf(type: string, value: string, style: number, { sharedStrings, kinds, is1904 }: Workbook): string {
  switch (type) {
    case 's':
      return sharedStrings[numberIn(value)] ?? ''
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false'
    case 'n':
      return value === '' ? '' : numberText(value, kinds[style] ?? 'plain', is1904)
    default:
      return value
  }
}

function hideColumns({ min, max, hidden }: Readonly<Record<string, string>>, facts: SheetFacts): void {
  if (!isTrue(hidden)) return
  const last = numberIn(max, 1, MOST_COLUMNS)
  for (let column = numberIn(min, 1, MOST_COLUMNS); column <= last; column += 1) {
    if (facts.hiddenInRanges === MOST_COLUMNS) return
    facts.hiddenInRanges += 1
    facts.hiddenColumns.add(column - 1)
  }
}

const isTrue = (text: string | undefined) => text === '1' || text === 'true'

/** Columns that are merged into one cell, by their indexes. */
export interface MergedColumns {
  readonly first: number
  readonly last: number
}

/** Returns the merged cells of a row. A sheet lists them after its cells. */
export async function mergedColumns(archive: OpenArchive, path: string, row: number): Promise<MergedColumns[]> {
  const entry = archive.find(path)
  const found: MergedColumns[] = []
  if (!entry) return found
  // No cell is in two of them, unless the file is hostile.
  let left = MOST_COLUMNS
  const reader = createXmlReader({
    open({ name, attributes }) {
      if (name !== 'mergeCell' || !attributes.ref) return
      const [from = '', to = ''] = attributes.ref.split(':', 2)
      if (rowNumber(from) !== row) return
      const [first, last] = [columnIndex(from), columnIndex(to)]
      left -= Math.max(1, last - first)
      if (left >= 0) found.push({ first, last })
    },
  })
  for await (const bytes of archive.content(entry)) reader.write(bytes)
  reader.end()
  return found
}
