import type { OpenArchive } from '@plantroom/fpl/read-archive'
import { columnIndex, numberText } from './cell-values.ts'
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
  hiddenRows: number
}

/** No spreadsheet program has more columns. */
const MOST_COLUMNS = 16_384

export function emptyFacts(): SheetFacts {
  return { hiddenColumns: new Set(), hiddenRows: 0 }
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
        row = { number: Number(attributes.r ?? row.number + 1), cells: new Map(), flaws: [] }
        cell.column = -1
        if (isTrue(attributes.hidden)) facts.hiddenRows += 1
        return
      case 'c': {
        const column = attributes.r === undefined ? cell.column + 1 : columnIndex(attributes.r)
        cell = {
          column,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
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
      return sharedStrings[Number(value)] ?? ''
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
  const last = Math.min(Number(max), MOST_COLUMNS)
  for (let column = Number(min); column <= last; column += 1) facts.hiddenColumns.add(column - 1)
}

const isTrue = (text: string | undefined) => text === '1' || text === 'true'

/** Returns the ranges of merged cells. A sheet lists them after its cells. */
export async function mergedRanges(archive: OpenArchive, path: string): Promise<string[]> {
  const entry = archive.find(path)
  const ranges: string[] = []
  if (!entry) return ranges
  const reader = createXmlReader({
    open({ name, attributes }) {
      if (name === 'mergeCell' && attributes.ref) ranges.push(attributes.ref)
    },
  })
  for await (const bytes of archive.content(entry)) reader.write(bytes)
  reader.end()
  return ranges
}
